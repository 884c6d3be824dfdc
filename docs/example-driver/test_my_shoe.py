"""The contract of every protocol, kept by the example."""

from my_shoe import MyShoe, check_digit

from drivers.conformance import Clean, ProtocolContract
from drivers.observations import CardRead, Trouble
from drivers.protocols.base import DeviceProtocol

FACES = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]


class TestMyShoe(ProtocolContract):
    """Seven tests, inherited; and what no contract knows: the numbers of its draws."""

    def protocol(self) -> DeviceProtocol:
        return MyShoe("shoe")

    def clean(self, number: int) -> Clean:
        face = FACES[number % len(FACES)]
        body = f"{number % 10}{face}".encode()
        return Clean(b"#" + body + str(check_digit(body)).encode() + b"*", face)

    def test_a_number_left_out_is_told_before_the_card(self) -> None:
        for second, missed in ((1, 0), (0, 0), (2, 1)):
            shoe = self.protocol()
            shoe.feed(self.clean(0).data, 0)
            seen = shoe.feed(self.clean(second).data, 1).observations
            assert sum(isinstance(one, Trouble) for one in seen) == missed
            assert isinstance(seen[-1], CardRead)
            assert seen[-1].resent == (second == 0)
