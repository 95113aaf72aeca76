"""A bar chart as SVG, written by hand: what a page costs each program, on a logarithmic axis. Readable on light and on dark pages."""

import html
import math

WIDTH, LABELS, NUMBERS, BAR, SPACE, TOP = 760, 190, 90, 18, 8, 44
OURS, THEIRS, INK = "#d9822b", "#6b8fb5", "#808890"  # each stands out on white and on black


def plot(title: str, groups: dict[str, dict[str, float]], ours: str) -> str:
    """`groups`: name -> {program: microseconds}. The bars of `ours` have a colour of their own."""
    values = [value for bars in groups.values() for value in bars.values()]
    low, high = 10 ** math.floor(math.log10(min(values))), 10 ** math.ceil(math.log10(max(values)))
    high = max(high, low * 10)
    room = WIDTH - LABELS - NUMBERS

    def at(value: float) -> float:
        return LABELS + room * math.log(value / low) / math.log(high / low)

    parts, y = [], TOP
    for group, bars in groups.items():
        parts.append(text(4, y + 14, group, weight="bold"))
        y += BAR + SPACE
        for program, value in bars.items():
            colour = OURS if program == ours else THEIRS
            parts.append(text(LABELS - 8, y + 13, program, anchor="end"))
            parts.append(f'<rect x="{LABELS}" y="{y}" width="{max(at(value) - LABELS, 1):.1f}" height="{BAR}" rx="2" fill="{colour}"/>')
            parts.append(text(at(value) + 6, y + 13, f"{value:,.0f} µs"))
            y += BAR + SPACE
        y += SPACE
    axis, power = [], low
    while power <= high:
        x = at(power)
        axis.append(f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{y}" stroke="{INK}" stroke-opacity="0.3"/>')
        axis.append(text(x, y + 16, f"{power:,} µs", anchor="middle"))
        power *= 10
    height = y + 28
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="sans-serif" font-size="13" role="img" aria-label="{html.escape(title)}">\n'
        + "\n".join([text(4, 20, title, weight="bold"), *axis, *parts])
        + "\n</svg>\n"
    )


def text(x: float, y: float, words: str, anchor: str = "start", weight: str = "normal") -> str:
    return f'<text x="{x:.1f}" y="{y}" fill="{INK}" text-anchor="{anchor}" font-weight="{weight}">{html.escape(words)}</text>'
