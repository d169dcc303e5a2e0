package tidepool.history;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Collects events from one or more streams and pairs each completion with its invocation. */
final class HistoryBuilder {
    private final KeyNumbering keys = new KeyNumbering();
    private final Ops ops = new Ops();
    private final Branches branches = new Branches();
    private final Ranges ranges = new Ranges();
    private final Events events = new Events();
    private final EventParser parser = new EventParser(keys);
    private final List<String> warnings = new ArrayList<>();
    private final SourceLines sources = new SourceLines();
    private boolean indexed;
    private long ignored;

    void add(String name, InputStream in) throws IOException {
        sources.open(name);
        parser.beginFile();
        LineSource lines = new LineSource(in);
        while (lines.next()) {
            if (lines.isBlank()) continue;
            try {
                parser.parse(lines.bytes(), lines.start(), lines.length());
                event(sources.place(lines.number()));
            } catch (MalformedEvent problem) {
                if (lines.isTerminated()) throw new HistoryFormatException(name, lines.number(), problem.getMessage());
                // The writing process was killed while writing. So the transaction had not begun or its end is unknown.
                warnings.add(
                        name + ":" + lines.number() + ": the file ends in the middle of a line; the line is ignored");
            }
        }
        sources.close(lines.number());
    }

    private void event(int line) throws MalformedEvent {
        if (parser.isFormat()) return;
        if (!parser.isClient()) {
            ignored++;
            return;
        }
        if (events.count() == 0) indexed = parser.isIndexed();
        if (indexed != parser.isIndexed()) throw new MalformedEvent("some events have an \"index\" and some have none");
        int first = ops.count();
        // A failed transaction did nothing: what it read before it failed proves nothing.
        if (parser.type() != EventParser.FAIL) {
            parser.ops().keep(parser.type(), ops, branches, ranges);
        }
        long index = indexed ? parser.index() : events.count();
        events.add(index, parser.process(), parser.type(), line, first, ops.count());
    }

    History build() throws HistoryFormatException {
        if (ignored > 0) warnings.add(ignored + " lines whose process is a name are not of clients and were ignored");
        int[] order = events.inOrder();
        for (int i = 1; i < order.length; i++) {
            if (events.index(order[i - 1]) == events.index(order[i])) {
                throw at(
                        order[i],
                        "index " + events.index(order[i]) + " was already used at "
                                + sources.name(events.line(order[i - 1])));
            }
        }
        Transactions transactions = new Transactions();
        IntColumn completionOrder = new IntColumn();
        LongIntMap current = new LongIntMap();
        for (int event : order) {
            if (events.type(event) == EventParser.INVOKE) invoke(event, transactions, current);
            else complete(event, transactions, current, completionOrder);
        }
        if (transactions.count() == 0) warnings.add("the history has no transactions: nothing was checked");
        VersionIndex versions = versions(transactions);
        return new History(
                keys, ops, branches, ranges, transactions, versions, completionOrder.toArray(), sources, warnings);
    }

    private void invoke(int event, Transactions transactions, LongIntMap current) throws HistoryFormatException {
        long process = events.process(event);
        int before = current.get(process);
        if (before != LongIntMap.ABSENT && transactions.isOpen(before)) {
            throw at(
                    event,
                    "process " + process + " invokes while its transaction of "
                            + sources.name(transactions.invokeLine(before)) + " has not completed");
        }
        if (before != LongIntMap.ABSENT && transactions.isUnknown(before)) {
            throw at(
                    event,
                    "process " + process + " invokes although the outcome of its transaction of "
                            + sources.name(transactions.invokeLine(before))
                            + " is unknown; it may still take effect, so go on under a new process number");
        }
        current.put(
                process,
                transactions.invoke(
                        events.index(event), process, events.line(event), events.firstOp(event), events.endOp(event)));
    }

    private void complete(int event, Transactions transactions, LongIntMap current, IntColumn completionOrder)
            throws HistoryFormatException {
        int transaction = current.get(events.process(event));
        if (transaction == LongIntMap.ABSENT || !transactions.isOpen(transaction)) {
            throw at(event, "process " + events.process(event) + " completes a transaction that it has not invoked");
        }
        byte type = events.type(event);
        if (type == EventParser.OK_AS_INVOKED) {
            requireSeen(event, transactions, transaction);
            transactions.complete(transaction, EventParser.OK, events.index(event), events.line(event));
            completionOrder.add(transaction);
            return;
        }
        transactions.complete(transaction, type, events.index(event), events.line(event));
        if (type == EventParser.OK) completionOrder.add(transaction);
        int first = events.firstOp(event);
        int end = events.endOp(event);
        if (type == EventParser.OK || first < end) {
            checkShape(event, transactions, transaction, first, end);
            transactions.results(transaction, first, end);
        }
    }

    /** An ok may leave out its value only if it read nothing, or if the invocation contains what was read. */
    private void requireSeen(int event, Transactions transactions, int transaction) throws HistoryFormatException {
        for (int op = transactions.firstOp(transaction); op < transactions.endOp(transaction); op++) {
            if (ops.kind(op) == Ops.UNREAD) throw at(event, "an ok needs a \"value\": its operations and results");
        }
    }

    /**
     * A completion must have the operations of its invocation. Otherwise a write could escape the checker under another
     * key.
     */
    private void checkShape(int event, Transactions transactions, int transaction, int first, int end)
            throws HistoryFormatException {
        int invoked = transactions.firstOp(transaction);
        String origin = sources.name(transactions.invokeLine(transaction));
        int invokedEnd = transactions.endOp(transaction);
        if (count(first, end) != count(invoked, invokedEnd))
            throw at(event, "has another number of operations than its invocation at " + origin);
        int number = 0;
        int asked = invoked;
        for (int done = first; done < end; done++) {
            if (ops.isPartOfRange(done)) continue;
            while (ops.isPartOfRange(asked)) asked++;
            number++;
            if (!isSame(done, asked++))
                throw at(event, "operation " + number + " is another one than in its invocation at " + origin);
        }
    }

    /** Counts operations. Rows of a range read are no operations of their own. */
    private int count(int first, int end) {
        int count = 0;
        for (int op = first; op < end; op++) if (!ops.isPartOfRange(op)) count++;
        return count;
    }

    private boolean isSame(int done, int asked) {
        boolean write = ops.isWrite(done);
        boolean isFixed = write || ops.kind(done) == Ops.ENTRY;
        return write == ops.isWrite(asked)
                && ops.key(done) == ops.key(asked)
                && (!isFixed || ops.kind(done) == ops.kind(asked) && ops.value(done) == ops.value(asked));
    }

    /** Finds the writer of every version. All inference relies on there being only one. */
    private VersionIndex versions(Transactions transactions) throws HistoryFormatException {
        VersionIndex versions = new VersionIndex(ops);
        int[] owners = transactions.own(ops.count());
        for (int t = 0; t < transactions.count(); t++) {
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
                if (!ops.isWrite(op)) continue;
                int other = versions.add(op);
                if (other != VersionIndex.NO_WRITE) {
                    int place = transactions.invokeLine(t);
                    throw new HistoryFormatException(
                            sources.file(place),
                            sources.line(place),
                            "version "
                                    + ops.value(op) + " of " + keys.title(ops.key(op))
                                    + " is also written by the transaction of "
                                    + sources.name(transactions.invokeLine(owners[other]))
                                    + "; versions must be unique");
                }
            }
        }
        return versions;
    }

    private HistoryFormatException at(int event, String problem) {
        int place = events.line(event);
        return new HistoryFormatException(sources.file(place), sources.line(place), problem);
    }
}
