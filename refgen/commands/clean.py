"""``refgen clean``: nothing is kept of earlier builds."""

from __future__ import annotations

import click


@click.command()
def clean() -> None:
    """Empty the cache. What was built stays where it is; the next build makes everything anew."""
    from refgen.api.building import clear_cache

    removed = clear_cache()
    click.echo("the cache is empty" if removed is None else f"removed {removed}")
