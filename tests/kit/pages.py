"""Reading an HTML page in a test: its elements, its text, and what is wrong with it."""

from html.parser import HTMLParser

VOID = {"meta", "br", "col", "img"}


class Page(HTMLParser):
    """The elements in order as (tag, attributes), the text, and the texts inside each kind of element."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.inside, self.open, self.wrong = [], {}, [], []
        self.feed(text)
        self.close()
        self.wrong += [f"{tag} is not closed" for tag, _ in self.open]

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.inside.setdefault(tag, []).append("")
        if tag not in VOID:
            self.open.append((tag, len(self.inside[tag]) - 1))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.wrong.append(f"{tag} is closed where it is not open")
        else:
            self.open.pop()

    def handle_data(self, data):
        for tag, number in self.open:
            self.inside[tag][number] += data

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]
