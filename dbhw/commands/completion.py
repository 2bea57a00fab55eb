"""Print what makes a shell complete commands, options and names: eval "$(dbhw completion bash)" in .bashrc."""

from __future__ import annotations

import argparse

from dbhw import commands
from dbhw.base.errors import one_of

_SHELLS = ("bash", "zsh", "fish")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", help=f"one of {', '.join(_SHELLS)}")


def run(args: argparse.Namespace) -> int:
    if args.shell not in _SHELLS:
        raise one_of("shell", args.shell, _SHELLS)
    options = {name: _options_of(name) for name in commands.PLUGINS.names()}
    print({"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell](options, _values()))
    return 0


def _options_of(name: str) -> list[str]:
    parser = argparse.ArgumentParser()
    commands.PLUGINS.module(name).arguments(parser)
    words = [word for action in parser._actions for word in action.option_strings if word.startswith("--")]
    return sorted({*words, "--quiet"})


def _values() -> dict[str, list[str]]:
    """The names that may follow an option."""
    from dbhw import boards, importers
    from dbhw.fpga import families
    from dbhw.logic import formats, passes
    from dbhw.model.engines import ENGINES

    return {
        "--board": boards.names(),
        "--target": families.names(),
        "--format": sorted({*formats.names(), *importers.PLUGINS.names()}),
        "--passes": passes.PLUGINS.names(),
        "--engine": list(ENGINES),
        "--simulator": ["icarus", "verilator"],
        "--weights": ["baked", "loadable"],
        "--ports": ["name", "packed"],
    }


def _models() -> list[str]:
    """Words that may stand where a command takes a model or a recipe, beside files."""
    from dbhw import recipes, zoo

    return [*(f"{zoo.PREFIX}{name}" for name in zoo.names()), *recipes.names()]


def _bash(options: dict[str, list[str]], values: dict[str, list[str]]) -> str:
    after = "\n".join(f'    {option}) words="{" ".join(names)}" ;;' for option, names in values.items())
    own = "\n".join(f'      {name}) words="{" ".join(words)}" ;;' for name, words in options.items())
    return f"""_dbhw() {{
  local line="${{COMP_LINE:0:$COMP_POINT}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" words="" word
  word="${{line##*[[:space:]]}}"
  case "$before" in
{after}
    *) if [ "$COMP_CWORD" = 1 ]; then words="{" ".join(options)}"
    elif [ "${{word#-}}" = "$word" ]; then words="{" ".join(_models())}"
    else case "${{COMP_WORDS[1]}}" in
{own}
    esac; fi ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  # To bash, what follows a colon is a word of its own.
  case "$COMP_WORDBREAKS" in *:*) COMPREPLY=("${{COMPREPLY[@]#"${{word%"${{word##*:}}"}}"}}") ;; esac
}}
complete -o default -F _dbhw dbhw"""


def _zsh(options: dict[str, list[str]], values: dict[str, list[str]]) -> str:
    return f"autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n{_bash(options, values)}"


def _fish(options: dict[str, list[str]], values: dict[str, list[str]]) -> str:
    lines = [f'complete -c dbhw -n __fish_use_subcommand -f -a "{" ".join(options)}"']
    for name, words in options.items():
        for word in words:
            named = f' -x -a "{" ".join(values[word])}"' if word in values else ""
            lines.append(f'complete -c dbhw -n "__fish_seen_subcommand_from {name}" -l {word[2:]}{named}')
    lines.append(f'complete -c dbhw -n "not __fish_use_subcommand" -a "{" ".join(_models())}"')
    return "\n".join(lines)
