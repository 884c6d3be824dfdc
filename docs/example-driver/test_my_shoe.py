"""The contract of every protocol, kept by the example."""

from my_shoe import MyShoe, check_digit

from drivers.conformance import Clean, ProtocolContract
from drivers.protocols.base import DeviceProtocol

FACES = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]


class TestMyShoe(ProtocolContract):
    """Six tests, inherited."""

    def protocol(self) -> DeviceProtocol:
        return MyShoe("shoe")

    def clean(self, number: int) -> Clean:
        face = FACES[number % len(FACES)]
        body = f"{number % 10}{face}".encode()
        return Clean(b"#" + body + str(check_digit(body)).encode() + b"*", face)
