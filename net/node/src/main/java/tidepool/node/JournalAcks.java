package tidepool.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tidepool.node.journal.Journal;

/**
 * The answers that wait for the journal. Answers of FLUSHes are in outboxes; answers of control calls are not yet made.
 */
final class JournalAcks {
    private record Waiting(ClientConnection connection, long ticket, JournalListener listener) {}

    private final NodeJournal node;
    private final Journal journal;
    private final ConnectionTable connections;
    private final Set<ClientConnection> holding = new LinkedHashSet<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /** @param node null if the node has no journal; then no answer waits */
    JournalAcks(NodeJournal node, ConnectionTable connections) {
        this.node = node;
        this.journal = node == null ? null : node.journal();
        this.connections = connections;
    }

    /** Defers the next answer until the ticket is kept. Does nothing if it is kept already. */
    void hold(ClientConnection connection, long ticket, boolean refusable) {
        if (ticket <= journal.kept()) return;
        journal.want(ticket);
        connection.out().hold(ticket, refusable ? DeferredAnswers.IfFull.REFUSE_LAST : DeferredAnswers.IfFull.CUT);
        holding.add(connection);
    }

    /** Returns whether every change so far is kept. */
    boolean isAllKept() {
        return journal == null || journal.ticket() <= journal.kept();
    }

    /** Calls the listener later, when every change so far is kept or the disk is full. */
    void whenKept(ClientConnection connection, JournalListener listener) {
        if (isAllKept() || journal.isFull()) {
            boolean kept = isAllKept();
            connections.soon(() -> listener.kept(kept));
            return;
        }
        long ticket = journal.ticket();
        journal.want(ticket);
        waiting.add(new Waiting(connection, ticket, listener));
    }

    boolean hasWaiters() {
        return !holding.isEmpty() || !waiting.isEmpty();
    }

    /** Called at the end of a turn of the loop. Awaited changes are handed to the journal thread. */
    void turn() {
        if (node != null) node.turn(connections.isQuiet());
    }

    /**
     * Called when the journal has progressed. Sends the answers that are due. Throws, and so ends the node, if it
     * failed.
     */
    void progress() {
        if (journal.failure() != null) throw new JournalFailedException(journal.failure());
        long kept = journal.kept();
        boolean full = journal.isFull();
        while (!waiting.isEmpty() && (full || waiting.peek().ticket <= kept)) {
            Waiting next = waiting.poll();
            next.listener.kept(next.ticket <= kept);
        }
        if (holding.isEmpty()) return;
        List<ClientConnection> now = new ArrayList<>(holding);
        for (ClientConnection connection : now) released(connection, kept, full);
    }

    private void released(ClientConnection connection, long kept, boolean full) {
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
