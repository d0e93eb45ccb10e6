"""What holds of the rules in our document holds of them in the original."""

from __future__ import annotations

from tests.originals.again import again
from tests.resolver.systems import test_atari_blows

globals().update(again(test_atari_blows))
