# The short way for hooks that are commands: one request to a daemon that runs, made by bash itself, which is there in a
# tenth of the time that Node takes. Whatever is out of the ordinary is left to `pal hook`. What stands between two @ is
# filled in by the build, from what src/ knows of the agents.
# Arguments: NODE PAL hook AGENT EVENT [--strict]
LC_ALL=C
# Writing to somebody who is gone fails then, and does not end this.
trap '' PIPE
node=$1 pal=$2 agent=$4 event=$5 strict=$6
# Until when the agent may be kept waiting, all in all; an older bash does not know the time, and leaves that to `pal hook`.
case $agent in
  @DEADLINES@
esac
now=${EPOCHREALTIME/[.,]/}
[ -n "$now" ] && export @UNTIL@=$((now / 1000 + deadline_ms))
# Opening /dev/stdin fails where it is a socket, and `read` takes a large payload byte by byte.
payload=$(cat)

# One that ends without reading it is no fault that the agent should hear of.
pal_hook() {
  printf '%s' "$payload" 2>/dev/null | "$node" "$pal" hook "$agent" "$event" ${strict:+"$strict"}
  return "${PIPESTATUS[1]}"
}

# The agent goes on as if there were no hook, unless it wants an edit that cannot be checked not to run.
unanswered() {
  [ -z "$strict" ] && exit 0
  printf '%s' @UNCHECKED@ >&2
  exit @UNCHECKED_EXIT@
}

# On a busy machine starting Node and a daemon takes longer than an agent waits. Then `pal hook` is left to go on by itself,
# so that the daemon is there the next time; it has no part of the agent's pipes, and notes itself that it came too late.
otherwise() {
  exec 5< <(
    exec 2>&1
    pal_hook
    printf '\0%s' "$?"
  )
  now=${EPOCHREALTIME/[.,]/}
  left=${now:+$((@UNTIL@ - now / 1000))}
  IFS= read -r -d '' -t "$(seconds "${left:-$deadline_ms}")" -u 5 text || unanswered
  IFS= read -r -u 5 code
  case $code in
    0) printf '%s' "$text" ;;
    *) printf '%s' "$text" >&2 ;;
  esac
  exit "$code"
}

# Of milliseconds.
seconds() {
  [ "$1" -gt 0 ] && printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)) || printf 0.001
}

# Older ones wait for whole seconds only, and do not tell a time that ran out from an end that came early.
[ "${BASH_VERSINFO[0]}" -ge 4 ] || {
  pal_hook
  exit
}

case $PALIMPSEST_HOME in
  /*) data=$PALIMPSEST_HOME ;;
  *)
    case $OSTYPE in
      darwin*) data="$HOME/Library/Application Support/palimpsest" ;;
      *) case $XDG_DATA_HOME in /*) data=$XDG_DATA_HOME/palimpsest ;; *) data=$HOME/.local/share/palimpsest ;; esac ;;
    esac
    ;;
esac

# Where the agent was started, as it says itself.
directory=$PWD variable=
case $agent in
  @PROJECT_VARIABLES@
esac
case ${variable:+${!variable}} in /*) directory=${!variable} ;; esac
case $directory in *[[:cntrl:]]*) otherwise ;; esac
directory=${directory//\\/\\\\}
directory=${directory//\"/\\\"}

# How long the agent may be kept waiting, in seconds and in milliseconds.
case $event in
  @DECIDING_EVENTS@) patience=@BEFORE_S@ patience_ms=@BEFORE_MS@ ;;
  *) patience=@AFTER_S@ patience_ms=@AFTER_MS@ ;;
esac

# Late is not lost: the daemon has the event and goes on with it. The user is told where they look.
missed() {
  {
    printf '{"at":"%s","agent":"%s","event":"%s","directory":"%s","why":"no answer within %s s"}\n' \
      "$(date -u +%FT%TZ)" "$agent" "$event" "$directory" "$patience" >>"$data/@MISSED_NAME@"
  } 2>/dev/null
  unanswered
}

# Only so much fits into the system's buffers; what is longer would keep us as long as the daemon does not read.
[ "${#payload}" -le 100000 ] || otherwise
[ -n "$payload" ] && [ -r "$data/@DISCOVERY_NAME@" ] || otherwise
info=$(<"$data/@DISCOVERY_NAME@")
# Whoever has the port of a daemon that was killed must not get to see what agents do.
[[ $info =~ \"pid\":\ *([0-9]+) ]] && kill -0 "${BASH_REMATCH[1]}" 2>/dev/null || otherwise
[[ $info =~ \"port\":\ *([0-9]+) ]] || otherwise
port=${BASH_REMATCH[1]}
[[ $info =~ \"token\":\ *\"([A-Za-z0-9_-]+)\" ]] || otherwise
token=${BASH_REMATCH[1]}

# Until when we wait, in milliseconds, so that a daemon that was held up knows that nobody hears it any more.
now=${EPOCHREALTIME/[.,]/}
deadline=${now:+@DEADLINE@: $((now / 1000 + patience_ms))$'\r\n'}
# The session that the agent was started within.
within=
[[ ${#@SESSION@} -le @ID_LENGTH_LIMIT@ && $@SESSION@ =~ ^[A-Za-z0-9_.-]+$ ]] && within="@WITHIN@: $@SESSION@"$'\r\n'

{ exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null || otherwise
body="{\"directory\":\"$directory\",\"payload\":$payload}"
printf 'POST @HOOK_PATH@ HTTP/1.1\r\nhost: 127.0.0.1:%s\r\nauthorization: Bearer %s\r\naccept: text/plain\r\ncontent-type: @JSON_TYPE@\r\ncontent-length: %s\r\nconnection: close\r\n%s%s\r\n%s' \
  "$agent" "$event" "$port" "$token" "${#body}" "$deadline" "$within" "$body" 2>/dev/null >&3 || otherwise

# Beyond 128 the shell says that time ran out; anything else that is wrong, that nobody is there any more.
read -r -t "$patience" -u 3 _ status _
case $? in 0) ;; 1) otherwise ;; *) missed ;; esac
[ "$status" = 200 ] || otherwise
plain=
while read -r -t "$patience" -u 3 line; do
  line=${line%$'\r'}
  case $line in
    '') break ;;
    @HOOK_EXIT@:*) plain=${line#*: } ;;
    [Tt]ransfer-[Ee]ncoding:*) otherwise ;;
  esac
done
[ -n "$plain" ] || otherwise
IFS= read -r -d '' -t "$patience" -u 3 text
case $plain in
  0) printf '%s' "$text" ;;
  *) printf '%s' "$text" >&2 ;;
esac
exit "$plain"
