"""Trains the network on rendered crops and writes it as ONNX.

    python -m scripts.train_index.train OUT.onnx MINUTES DATA.npz... [--val HELD.npz] [--start W.pt]

Needs torch and onnx; the product needs neither. The input is 1 x 3 x 72 x 40, blue-green-red,
value / 100 - 1 (paper is 1); the outputs are logits: rank (13 and none), suit (4 and none), joker.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

BATCH = 192


class Net(nn.Module):
    """About 200 000 weights, six million multiplications."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *_block(3, 12),
            nn.MaxPool2d(2),
            *_block(12, 24),
            nn.MaxPool2d(2),
            *_block(24, 48),
            nn.MaxPool2d(2),
            *_block(48, 64),
            *_block(64, 64, stride=2),
            nn.Flatten(),
        )
        self.full = nn.Linear(64 * 5 * 3, 128)
        self.drop = nn.Dropout(0.25)
        self.heads = nn.Linear(128, 14 + 5 + 1)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.heads(self.drop(functional.relu(self.full(self.body(image)))))


def _block(before: int, after: int, stride: int = 1) -> list[nn.Module]:
    return [
        nn.Conv2d(before, after, 3, stride, 1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    ]


def load(paths: list[str]) -> tuple[torch.Tensor, torch.Tensor]:
    """Crops (uint8, n x 3 x 72 x 40) and labels (n x 3)."""
    crops, labels = [], []
    for path in paths:
        with np.load(path) as file:
            crops.append(torch.from_numpy(file["crop"]).permute(0, 3, 1, 2).contiguous())
            label = np.stack([file["rank"], file["suit"], file["joker"]], axis=1).astype(np.int64)
            labels.append(torch.from_numpy(label))
    return torch.cat(crops), torch.cat(labels)


def augment(crops: torch.Tensor, labels: torch.Tensor, gen: torch.Generator):
    """Small shifts, light, noise, grey; one in thirty upside down, which is no index."""
    n = len(crops)
    x = crops.float()
    dx, dy = (int(v) for v in torch.randint(-2, 3, (2,), generator=gen))
    x = torch.roll(x, (dy, dx), (2, 3))
    x = x * (1 + 0.06 * torch.randn(n, 3, 1, 1, generator=gen))
    x = x + torch.randn(x.shape, generator=gen) * (6 * torch.rand(n, 1, 1, 1, generator=gen))
    grey = torch.rand(n, generator=gen) < 0.08
    x[grey] = x[grey].mean(dim=1, keepdim=True).expand(-1, 3, -1, -1)
    over = torch.rand(n, generator=gen) < 0.03
    x[over] = x[over].flip(2, 3)
    labels = labels.clone()
    labels[over, 0], labels[over, 1] = 13, 4
    return x / 100 - 1, labels


def losses(out: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    rank = functional.cross_entropy(out[:, :14], labels[:, 0])
    suit = functional.cross_entropy(out[:, 14:19], labels[:, 1])
    joker = functional.binary_cross_entropy_with_logits(out[:, 19], labels[:, 2].float())
    return rank + suit + 0.5 * joker


def main(out: str, minutes: float, data: list[str], held: str | None, start: str | None) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(7)
    gen = torch.Generator().manual_seed(11)
    crops, labels = load(data)
    net = Net()
    if start:
        net.load_state_dict(torch.load(start))
    sys.stdout.write(f"{len(crops)} crops, {sum(p.numel() for p in net.parameters())} weights\n")
    best = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    begin, end = time.monotonic(), minutes * 60
    step, done = 0, False
    while not done:
        net.train()
        order = torch.randperm(len(crops), generator=gen)
        for part in order.split(BATCH):
            spent = (time.monotonic() - begin) / end
            if spent >= 1:
                done = True
                break
            for group in best.param_groups:
                group["lr"] = (2e-3 if not start else 1e-3) * min(1, (step + 1) / 100) * 0.5 * (
                    1 + np.cos(np.pi * spent)
                ) + 1e-5
            image, truth = augment(crops[part], labels[part], gen)
            loss = losses(net(image), truth)
            best.zero_grad()
            loss.backward()
            best.step()
            step += 1
        report(
            net, held, f"{step} steps, {step * BATCH // len(crops)} rounds, loss {loss.item():.3f}"
        )
    torch.save(net.state_dict(), out.replace(".onnx", ".pt"))
    export(net, out)


def report(net: Net, held: str | None, what: str) -> None:
    if held:
        net.eval()
        crops, labels = load([held])
        crops, labels = crops[:3000], labels[:3000]
        with torch.no_grad():
            out = net(crops.float() / 100 - 1)
        real = labels[:, 0] < 13
        rank = (out[:, :14].argmax(1) == labels[:, 0]).float()
        suit = (out[:, 14:19].argmax(1) == labels[:, 1]).float()
        shares = (rank[real].mean(), suit[real].mean(), rank[~real].mean())
        what += "; held rank {:.4f} suit {:.4f} none {:.4f}".format(*shares)
    sys.stdout.write(what + "\n")
    sys.stdout.flush()


def export(net: Net, out: str) -> None:
    """The old exporter's graph of plain nodes is what OpenCV reads best; batch norms are folded."""
    net.eval()
    sample = torch.zeros(1, 3, 72, 40)
    torch.onnx.export(
        net,
        (sample,),
        out,
        input_names=["image"],
        output_names=["logits"],
        opset_version=13,
        dynamo=False,
        dynamic_axes={"image": {0: "n"}, "logits": {0: "n"}},
    )
    sys.stdout.write(f"{out}: {Path(out).stat().st_size} bytes\n")


if __name__ == "__main__":
    words = sys.argv[1:]
    options = {}
    for name in ("--val", "--start"):
        if name in words:
            at = words.index(name)
            options[name] = words[at + 1]
            del words[at : at + 2]
    main(words[0], float(words[1]), words[2:], options.get("--val"), options.get("--start"))
