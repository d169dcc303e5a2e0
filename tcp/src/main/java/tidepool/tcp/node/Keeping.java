package tidepool.tcp.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tidepool.tcp.journal.Journal;

/** Answers that wait for the journal: those of FLUSHes lie in outboxes, those of control calls are not yet given. */
final class Keeping {
    private record Waiting(Connection connection, long ticket, KeptListener listener) {}

    private final NodeJournal node;
    private final Journal journal;
    private final Connections connections;
    private final Set<Connection> holding = new LinkedHashSet<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /** @param node null if nothing is kept: then nothing waits */
    Keeping(NodeJournal node, Connections connections) {
        this.node = node;
        this.journal = node == null ? null : node.journal();
        this.connections = connections;
    }

    /** The next answer leaves when that is kept; at once if it is. */
    void hold(Connection connection, long ticket, boolean refusable) {
        if (ticket <= journal.kept()) return;
        journal.want(ticket);
        connection.out().hold(ticket, refusable ? HeldAnswers.IfFull.REFUSE_LAST : HeldAnswers.IfFull.CUT);
        holding.add(connection);
    }

    /** Whether everything so far is kept. */
    boolean isAllKept() {
        return journal == null || journal.ticket() <= journal.kept();
    }

    /** Tells it, later, when everything so far is kept. */
    void whenKept(Connection connection, KeptListener listener) {
        if (isAllKept() || journal.isFull()) {
            boolean kept = isAllKept();
            connections.soon(() -> listener.kept(kept));
            return;
        }
        long ticket = journal.ticket();
        journal.want(ticket);
        waiting.add(new Waiting(connection, ticket, listener));
    }

    boolean isAnybodyWaiting() {
        return !holding.isEmpty() || !waiting.isEmpty();
    }

    /** The end of a turn of the loop: what somebody waits for is handed to the disk. */
    void turn() {
        if (node != null) node.turn(connections.isQuiet());
    }

    /** The journal has got on: answers leave. A journal that has failed ends the node. */
    void progress() {
        if (journal.failure() != null) throw new JournalFailed(journal.failure());
        long kept = journal.kept();
        boolean full = journal.isFull();
        while (!waiting.isEmpty() && (full || waiting.peek().ticket <= kept)) {
            Waiting next = waiting.poll();
            next.listener.kept(next.ticket <= kept);
        }
        if (holding.isEmpty()) return;
        List<Connection> now = new ArrayList<>(holding);
        for (Connection connection : now) released(connection, kept, full);
    }

    private void released(Connection connection, long kept, boolean full) {
        Outbox out = connection.out();
        out.release(kept);
        if (full && !out.refuseHeld()) {
            holding.remove(connection);
            connections.cut(connection);
            return;
        }
        if (!out.isHolding()) holding.remove(connection);
        connections.settleKept(connection);
    }
}
