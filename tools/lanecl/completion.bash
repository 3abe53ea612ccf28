# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bash completion for lanecl

_lanecl() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} first=1
  COMPREPLY=()

  # Behind --device NAME comes what may come first.
  if [ "${COMP_WORDS[1]}" = --device ] && [ "$COMP_CWORD" -gt 1 ]; then
    [ "$COMP_CWORD" -eq 2 ] &&
      mapfile -t COMPREPLY < <(compgen -W "cpu gen9 gen11 tgl dg2 mtl bmg pvc gpu" -- "$current") && return
    first=3
  fi

  if [ "$COMP_CWORD" -eq "$first" ]; then
    case $current in
    -*) mapfile -t COMPREPLY < <(compgen -W "--device --help --version" -- "$current") ;;
    */*) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "check info devices compile report gdb lldb" -- "$current" && compgen -c -- "$current" | sort -u) ;;
    esac
    return
  fi

  case ${COMP_WORDS[first]} in
  check)
    case $previous in
    --checks) mapfile -t COMPREPLY < <(compgen -W "all full memory sub-groups work-groups races initialization arithmetic widths commands failures api" -- "$current") && return ;;
    --json | --suppressions | --sarif | --junit | --code-quality)
      mapfile -t COMPREPLY < <(compgen -f -- "$current") && return
      ;;
    --sources) mapfile -t COMPREPLY < <(compgen -d -- "$current") && return ;;
    --annotations) mapfile -t COMPREPLY < <(compgen -W "github azure gcc" -- "$current") && return ;;
    --error-status | --limit) return ;; # a number
    --fail-on) mapfile -t COMPREPLY < <(compgen -W "error warning" -- "$current") && return ;;
    esac
    case $current in
    -*) mapfile -t COMPREPLY < <(compgen -W \
        "--checks --sources --suppressions --limit --stop-at-first --json --sarif --junit --code-quality --annotations \
        --fail-on --error --warning --ignore --require-launch --error-status --help" -- "$current") ;;
    *) declare -F _command_offset >/dev/null && _command_offset $((first + 1)) ;;
    esac
    ;;
  devices) mapfile -t COMPREPLY < <(compgen -W "--help" -- "$current") ;;
  info) mapfile -t COMPREPLY < <(compgen -W "--short --help" -- "$current") ;;
  compile)
    case $previous in
    --sub-group-size) mapfile -t COMPREPLY < <(compgen -W "8 16 32" -- "$current") && return ;;
    --cpu)
      mapfile -t COMPREPLY < <(compgen -W "x86-64-v2 x86-64-v3 x86-64-v4 haswell icelake-client sapphirerapids znver4" \
        -- "$current")
      return
      ;;
    -o) mapfile -t COMPREPLY < <(compgen -f -- "$current") && return ;;
    --kernel | --local-size) return ;; # a name or a size of the kernel's
    esac
    case $current in
    -*)
      mapfile -t COMPREPLY < <(compgen -W \
        "-o --spirv --kernel --cpu --local-size --sub-group-size --report --json --asm --ir --time --help --" -- "$current")
      ;;
    *) mapfile -t COMPREPLY < <(compgen -f -X '!*.@(cl|clcpp|spv)' -- "$current" && compgen -d -- "$current") ;;
    esac
    ;;
  report)
    case $previous in
    --json) mapfile -t COMPREPLY < <(compgen -f -- "$current") && return ;;
    --kernel) return ;; # a name of the program's
    esac
    case $current in
    -*) mapfile -t COMPREPLY < <(compgen -W "--json --kernel --brief --help" -- "$current") ;;
    *) declare -F _command_offset >/dev/null && _command_offset $((first + 1)) ;;
    esac
    ;;
  gdb | lldb)
    [ "$COMP_CWORD" -eq $((first + 1)) ] && [[ $current == --* ]] &&
      mapfile -t COMPREPLY < <(
        [ "${COMP_WORDS[first]}" = gdb ] && compgen -W "--check" -- "$current"
        compgen -W "--help" -- "$current"
      ) && return
    first=$((first + 1))
    [ "${COMP_WORDS[first]}" = --check ] && first=$((first + 1))
    declare -F _command_offset >/dev/null && _command_offset "$first"
    ;;
  # Behind a program stand its own arguments, which are completed as if it had been called alone.
  *) declare -F _command_offset >/dev/null && _command_offset "$first" ;;
  esac
}

complete -o filenames -o bashdefault -o default -F _lanecl lanecl
