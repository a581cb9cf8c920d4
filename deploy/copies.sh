#!/bin/sh
# Copies of a PostgreSQL from which any moment of 14 days comes back (docs/hosting.md, "Backup"). In the folder $COPIES:
#   wal/     the server's log, which it hands over piece by piece: archive_command = 'sh copies.sh archive %p %f'
#   whole/   a copy of everything, made every day
#   erasures what was erased, for `outbid admin forget`
#
#   sh copies.sh run            make them, for ever (once: one, now)
#   sh copies.sh restore TIME   unpack the copy before TIME ('2027-01-31 04:59:30+00'; last: everything) into the empty $PGDATA;
#                               the server brings in the log when it starts
set -eu
umask 077
: "${COPIES:=/copies}" "${KEEP:=14}"
DATABASE=${PGDATABASE:-outbid}

archive() {
    kept="$COPIES/wal/$2.gz"
    if [ -f "$kept" ]; then # handed over before, and the server crashed before it noted that
        gunzip < "$kept" | cmp -s - "$1"
        return
    fi
    mkdir -p "$COPIES/wal"
    gzip -1 < "$1" > "$kept.part"
    sync "$kept.part"
    mv "$kept.part" "$kept"
    sync "$COPIES/wal"
}

first() { # the oldest piece of the log that a copy needs
    tar -xzOf "$1/base.tar.gz" backup_label | sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\)).*/\1/p'
}

whole() {
    mkdir -p "$COPIES/whole" "$COPIES/wal"
    rm -rf "$COPIES/whole/part"
    pg_basebackup --pgdata="$COPIES/whole/part" --format=tar --gzip --wal-method=fetch --checkpoint=fast
    sync
    mv "$COPIES/whole/part" "$COPIES/whole/$(date -u +%Y-%m-%dT%H%M%S.%6N)"
    rm -f "$COPIES/due"
    find "$COPIES/whole" -mindepth 1 -maxdepth 1 -name '2*' -mtime "+$((KEEP - 1))" -exec rm -r {} +
    pg_archivecleanup -x .gz "$COPIES/wal" "$(first "$(ls -d "$COPIES"/whole/2* | head -n 1)")"
}

list() {
    psql --no-psqlrc --quiet --tuples-only --no-align --dbname="$DATABASE" --output="$COPIES/erasures.part" \
        --command='SELECT json_build_array(at, kind, mark) FROM erasures ORDER BY id'
    cat "$COPIES/erasures.part" >> "$COPIES/erasures" # also what a restored database has forgotten
    sort -u -o "$COPIES/erasures" "$COPIES/erasures"
    chmod 644 "$COPIES/erasures" # it tells no name, and the server reads it
}

run() {
    while :; do
        newest=$(find "$COPIES/whole" -mindepth 1 -maxdepth 1 -name '2*' -mmin -1435 2> /dev/null)
        [ -n "$newest" ] && [ ! -e "$COPIES/due" ] || whole || :
        list || :
        sleep 60
    done
}

restore() {
    [ -z "$(ls -A "$PGDATA")" ] || { echo "$PGDATA is not empty: name another folder, so that what is there stays." >&2; exit 2; }
    if [ "$1" = last ]; then
        until=9
    else
        until=$(date -u -d "$1" +%Y-%m-%dT%H%M%S.%6N)
    fi
    copy=$(ls "$COPIES/whole" | grep '^2' | awk -v until="$until" '$0 <= until' | tail -n 1)
    [ -n "$copy" ] || { echo "There is no copy in $COPIES/whole from that moment or before." >&2; exit 2; }
    tar -xzf "$COPIES/whole/$copy/base.tar.gz" -C "$PGDATA"
    sed -i '/^restore_command/d; /^recovery_target/d' "$PGDATA/postgresql.auto.conf" # of a restore before the copy
    {
        echo "restore_command = 'gunzip < \"$COPIES/wal/%f.gz\" > \"%p\"'"
        [ "$1" = last ] || echo "recovery_target_time = '$1'"
        echo "recovery_target_action = 'promote'"
    } >> "$PGDATA/postgresql.auto.conf"
    touch "$PGDATA/recovery.signal"
    touch "$COPIES/due" # what is committed from then on follows no copy that was made after TIME
    chmod 700 "$PGDATA"
    echo "The copy of $copy is unpacked; the server brings in what was committed after it, when it starts."
}

case ${1:-} in
    archive) archive "$2" "$3" ;;
    once) whole; list || : ;;
    run) run ;;
    restore) restore "$2" ;;
    *) sed -n '2,9s/^# //p' "$0"; exit 2 ;;
esac
