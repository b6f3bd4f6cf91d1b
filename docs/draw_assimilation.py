#!/usr/bin/env python3
"""Draws docs/assimilation.svg: how the assimilating model fills a gap, computed with the model's own arithmetic.

    docs/draw_assimilation.py docs/assimilation.svg

One object swings, x = sin t. The model's field knows half of the acceleration. Three lines: the state, which
jumps at each observation; the same path bridged, which meets the observations; the true motion.
"""
import math
import sys

OBSERVED = [0.2, 1.7, 3.6, 4.6]
BEGIN, END, FORECAST = 0.0, 7.2, 4.6
WIDTH, HEIGHT, MARGIN = 760, 330, 46
STEP = 0.01


def truth(t):
    return math.sin(t), math.cos(t)


def roll(state, span):
    """The state after `span`, by small steps of dx/dt = v, dv/dt = -x / 2."""
    x, v = state
    for _ in range(max(1, round(span / STEP))):
        h = span / max(1, round(span / STEP))
        mid_x, mid_v = x + h / 2 * v, v - h / 2 * 0.5 * x
        x, v = x + h * mid_v, v - h * 0.5 * mid_x
    return x, v


def bridge(u, h, jump):
    """The part of the jump R = (R_x, R_v) at the end of a gap h that is added at the share u of it."""
    return (3 * u**2 - 2 * u**3) * jump[0] + (u**3 - u**2) * h * jump[1]


def paths():
    """Pieces of the jumping path, and the bridged path with the forecast behind it."""
    pieces, bridged = [], []
    start = (truth(OBSERVED[0])[0] - 0.25, truth(OBSERVED[0])[1])  # from the posterior, not quite right
    left, state = BEGIN, roll(start, 0)
    for right in OBSERVED + [END]:
        times = [left + (right - left) * k / 80 for k in range(81)]
        piece = [(t, roll(state, t - left)[0]) for t in times]
        pieces.append(piece)
        before = roll(state, right - left)
        seen = truth(right)
        jump = (seen[0] - before[0], seen[1] - before[1]) if right < END else (0, 0)
        for t, x in piece:
            if left == BEGIN:  # before the first observation the jump is held and moved on
                bridged.append((t, x + jump[0] - (right - t) * jump[1]))
            else:
                bridged.append((t, x + bridge((t - left) / (right - left), right - left, jump)))
        left, state = right, seen
    return pieces, bridged


def main():
    def place(t, x):
        return (MARGIN + (t - BEGIN) / (END - BEGIN) * (WIDTH - 2 * MARGIN), HEIGHT / 2 + 12 - x * (HEIGHT / 2 - 66))

    def line(points, style):
        text = " ".join(f"{px:.1f},{py:.1f}" for px, py in (place(*p) for p in points))
        return f'<polyline fill="none" points="{text}" {style}/>'

    pieces, bridged = paths()
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           'font-size="13">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    begin, top = place(FORECAST, 0)[0], 46
    out.append(f'<rect x="{begin:.1f}" y="{top}" width="{place(END, 0)[0] - begin:.1f}" height="{HEIGHT - top - 26}" '
               'fill="#f2f2f2"/>')
    out.append(line([(BEGIN + (END - BEGIN) * k / 200, truth(BEGIN + (END - BEGIN) * k / 200)[0]) for k in range(201)],
                    'stroke="#999999" stroke-width="1.5" stroke-dasharray="2 4"'))
    for piece in pieces:
        out.append(line(piece, 'stroke="#d55e00" stroke-width="1.5" stroke-dasharray="7 4"'))
    for left, right in zip(pieces, pieces[1:]):
        (x, y), (_, z) = place(*left[-1]), place(*right[0])
        out.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{z:.1f}" stroke="#d55e00" stroke-width="3"/>')
    out.append(line(bridged, 'stroke="#0072b2" stroke-width="2.5"'))
    for t in OBSERVED:
        x, y = place(t, truth(t)[0])
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#000000"/>')
    labels = [("#000000", "seen observation"), ("#d55e00", "state: rolls on with the graph ODE, jumps when something is seen"),
              ("#0072b2", "bridged path: the prediction"), ("#777777", "true motion")]
    for (colour, text), (x, y) in zip(labels, [(MARGIN, 16), (MARGIN, 34), (MARGIN + 150, 16), (MARGIN + 360, 16)]):
        out.append(f'<text x="{x}" y="{y}" fill="{colour}">{text}</text>')
    out.append(f'<text x="{begin + 6:.1f}" y="{top + 18}" fill="#555555">forecast: nothing to bridge to</text>')
    out.append(f'<text x="{WIDTH - MARGIN}" y="{HEIGHT - 10}" fill="#555555" text-anchor="end">time</text>')
    out.append("</svg>")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: docs/draw_assimilation.py FILE.svg")
    main()
