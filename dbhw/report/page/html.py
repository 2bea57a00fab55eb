"""HTML and SVG from Python. Every text is escaped, unless it is HTML made here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_MANY_COLUMNS = 5
_EMPTY = {"meta", "br", "col", "img"}


class Html(str):
    """Text that is HTML already."""


Content = str | int | float | None | Iterable["Content"]


def tag(name: str, /, *content: Content, **attributes: str | int | float | None) -> Html:
    """An element. An underscore at the end of an attribute is dropped, others become dashes; None leaves it out.

    >>> tag("td", "a < b", class_="n", aria_label='"')
    '<td class="n" aria-label="&quot;">a &lt; b</td>'
    >>> tag("p", tag("b", 1), " of ", None, ["2", "3"])
    '<p><b>1</b> of 23</p>'
    """
    said = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    return Html(f"<{name}{said}>" if name in _EMPTY else f"<{name}{said}>{joined(content)}</{name}>")


def joined(content: Content) -> Html:
    """Several pieces as one.

    >>> joined(["1 < 2", Html("<br>")])
    '1 &lt; 2<br>'
    """
    if content is None:
        return Html("")
    if isinstance(content, Html):
        return content
    if isinstance(content, str | int | float):
        return Html(escape(str(content)))
    return Html("".join(joined(each) for each in content))


def _attribute(key: str, value: str | int | float) -> str:
    return f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'


def drawing(
    width: float, height: float, title: str, description: str, *content: Content, class_: str = "", style: str = ""
) -> Html:
    """An SVG picture with its text alternative.

    >>> drawing(10, 5, "a line", "from left to right", tag("path", d="M0 0H10"))[:43]
    '<svg viewBox="0 0 10 5" role="img" width="1'
    """
    words = f"{title}. {description}" if description else title
    inside = (tag("title", title), tag("desc", description), *content)
    sizes = {"width": f"{width:g}", "height": f"{height:g}", "class_": class_ or None, "style": style or None}
    box = f"0 0 {width:g} {height:g}"
    svg = tag("svg", *inside, role="img", **sizes, aria_label=words)
    return Html(svg.replace("<svg ", f'<svg viewBox="{box}" ', 1))


def write(x: float, y: float, text: str, class_: str = "", anchor: str = "start") -> Html:
    """Words in a picture.

    >>> write(1, 2, "a", "faint")
    '<text x="1" y="2" class="faint" text-anchor="start">a</text>'
    """
    return tag("text", text, x=f"{x:g}", y=f"{y:g}", class_=class_ or None, text_anchor=anchor)


def scrolling(label: str, *content: Content, class_: str = "") -> Html:
    """A box for what may be wider than the page: it scrolls by itself, with the keyboard too.

    >>> scrolling("area", "…")
    '<div class="scroll" tabindex="0" role="region" aria-label="area">…</div>'
    """
    return tag("div", *content, class_=f"scroll {class_}".strip(), tabindex=0, role="region", aria_label=label)


def table(label: str, heads: Sequence[Content], rows: Iterable[Sequence[Content]], numbers: Sequence[int] = ()) -> Html:
    """A table in a box that scrolls; the first cell of a row is its head, and `numbers` are columns of numbers.

    >>> "<th scope=\\"row\\">a</th><td class=\\"n\\">1</td>" in table("t", ["what", "how many"], [["a", 1]], [1])
    True
    """
    sides = ["n" if i in numbers else None for i in range(len(heads))]
    head = tag("tr", [tag("th", h, scope="col", class_=s) for h, s in zip(heads, sides, strict=True)])
    body = [
        tag(
            "tr",
            tag("th", row[0], scope="row"),
            [tag("td", c, class_=s) for c, s in zip(row[1:], sides[1:], strict=True)],
        )
        for row in rows
    ]
    # Five columns need more room than a phone has: the box scrolls.
    wide = "wide" if len(heads) >= _MANY_COLUMNS else None
    return scrolling(label, tag("table", tag("thead", head), tag("tbody", body), class_=wide))


def bar(share: float, class_: str = "") -> Html:
    """A bar that is filled by a share; the number stands beside it, so it is hidden from readers of the page.

    >>> bar(0.25)
    '<span class="bar" aria-hidden="true"><span style="width:25.0%"></span></span>'
    """
    inner = tag("span", style=f"width:{100 * min(max(share, 0), 1):.1f}%")
    return tag("span", inner, class_=f"bar {class_}".strip(), aria_hidden="true")


def section(anchor: str, title: str, *content: Content) -> Html:
    """A part of the page, with its heading.

    >>> section("area", "Area", "…")[:45]
    '<section id="area" aria-labelledby="area-head'
    """
    return tag("section", tag("h2", title, id=f"{anchor}-head"), *content, id=anchor, aria_labelledby=f"{anchor}-head")
