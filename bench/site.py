"""The documentation as a site: collects the pages, adds those made from code and notebook, runs MkDocs: `make docs`."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from bench import api

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "build" / "site-source"
_LINK = re.compile(r"\]\((?!http)([^)#\s]+)(?:#[^)]*)?\)")


def collect(folder: Path) -> None:
    """Puts pages, and every file that a page links to, where they are in the repository: so links stay right."""
    shutil.rmtree(folder, ignore_errors=True)
    pending = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.*")]
    while pending:
        path = pending.pop()
        target = folder / path.relative_to(ROOT)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
            linked = _LINK.findall(path.read_text()) if path.suffix == ".md" else []
            pending += [found for link in linked if (found := (path.parent / link).resolve()).is_file()]
    for name, text in api.pages().items():
        target = folder / "docs" / "api" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    for notebook in (ROOT / "docs").glob("*.ipynb"):
        (folder / "docs" / f"{notebook.stem}.md").write_text(page_of(notebook))


def page_of(notebook: Path) -> str:
    """A notebook as Markdown, without what it printed."""
    parts = []
    for cell in json.loads(notebook.read_text())["cells"]:
        text = "".join(cell["source"])
        parts.append(f"```python\n{text}\n```" if cell["cell_type"] == "code" else text)
    return "\n\n".join([*parts, f"The notebook is [here]({notebook.name}).", ""])


def main() -> int:
    collect(SOURCE)
    return subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"], cwd=ROOT).returncode


if __name__ == "__main__":
    raise SystemExit(main())
