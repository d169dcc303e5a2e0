package tidepool.clusters;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The writes of a table that is emptied again and again, and what follows from them. Emptying a table is no part of a
 * transaction, so the history of the run cannot have it. A row that is read was written by a transaction that did not
 * fail, and nothing has certainly removed or replaced it. A row that is missing was never written for certain, or the
 * table may have been emptied since.
 */
final class DraftLog {
    private static final long OPEN = Long.MAX_VALUE;

    /** A write of a row, or the emptying of the table. */
    static final class Event {
        private final long key;
        private final long writer;
        private final long begun;
        private long ended = OPEN;
        private boolean failed;

        private Event(long key, long writer, long begun) {
            this.key = key;
            this.writer = writer;
            this.begun = begun;
        }

        /** Whether this one had certainly happened before the other began. */
        private boolean isBefore(long other) {
            return !failed && ended < other;
        }

        @Override
        public String toString() {
            return (writer == 0 ? "emptying" : "write " + writer + " of draft " + key) + " from " + begun + " to "
                    + (ended == OPEN ? "open" : ended);
        }
    }

    private final List<Event> emptied = new ArrayList<>();
    private final Map<Long, List<Event>> writes = new HashMap<>();
    private long next = 1;

    /** Returns the number of a moment. */
    long now() {
        return next++;
    }

    Event writes(long key, long writer) {
        Event event = new Event(key, writer, now());
        writes.computeIfAbsent(key, _ -> new ArrayList<>()).add(event);
        return event;
    }

    Event empties() {
        Event event = new Event(0, 0, now());
        emptied.add(event);
        return event;
    }

    void ended(Event event) {
        event.ended = now();
    }

    /** Records that a write did not happen and never will. */
    void failed(Event event) {
        event.failed = true;
    }

    /** Checks a row that a transaction has found which began at that moment. */
    void found(long key, long writer, long readBegan) {
        List<Event> of = writes.getOrDefault(key, List.of());
        Event write =
                of.stream().filter(each -> each.writer == writer).findFirst().orElse(null);
        if (write == null || write.failed)
            throw new ClusterFailure("draft " + key + " shows " + (write == null ? "no write" : "a failed write"));
        for (Event later : emptied) refute(write, later, readBegan);
        for (Event later : of) refute(write, later, readBegan);
    }

    private static void refute(Event write, Event later, long readBegan) {
        if (write.isBefore(later.begun) && later.isBefore(readBegan))
            throw new ClusterFailure("at " + readBegan + " " + write + " is still there after " + later);
    }

    /** Checks that a row is missing rightly, for a transaction that ended at that moment. */
    void missing(long key, long readEnded) {
        for (Event write : writes.getOrDefault(key, List.of())) {
            if (write.failed || write.ended == OPEN) continue;
            boolean maybeEmptied = emptied.stream()
                    .anyMatch(each -> !each.failed && each.ended > write.begun && each.begun < readEnded);
            if (!maybeEmptied && write.ended < readEnded)
                throw new ClusterFailure("at " + readEnded + " " + write + " is lost");
        }
    }
}
