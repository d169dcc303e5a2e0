package tidepool.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.wire.Frame;

/** The reader of a connection's frames. It checks each frame completely and then has it executed. */
final class FrameReader {
    private final NodeLimits limits;
    private final NodeCounters counters;
    private final ConnectionTable connections;
    private final RoundExecutor rounds;
    private final ControlExecutor controls;
    private static final long[] NOTHING = {};

    /** The first two bytes from a TLS client: a record of a handshake, version 3.x. */
    private static final int TLS_HANDSHAKE = 0x0316;

    FrameReader(NodeLimits limits, NodeCounters counters, ConnectionTable connections, ControlExecutor controls) {
        this.limits = limits;
        this.counters = counters;
        this.connections = connections;
        this.rounds = new RoundExecutor(counters);
        this.controls = controls;
    }

    /** Executes the received frames in order, until one is incomplete or has to wait. */
    void execute(ClientConnection from) throws ConnectionRefusedException {
        while (from.inputBytes() >= Frame.HEADER && !from.isBlocked(limits)) {
            MemorySegment in = from.input();
            long at = from.inputAt();
            long head = Words.plain(in, at);
            long bytes = head & 0xffffffffL;
            int kind = (int) (head >>> 32) & 0xff;
            long max = from.isStranger() ? Frame.MAX_HANDSHAKE_BYTES : limits.frameBytes();
            if (from.phase == ClientConnection.Phase.HELLO && (head & 0xffff) == TLS_HANDSHAKE)
                throw ConnectionRefusedException.malformed("the client speaks TLS, and this node none");
            if (bytes < Frame.HEADER || (bytes & (Words.BYTES - 1)) != 0 || bytes > max)
                throw ConnectionRefusedException.malformed("a frame of " + bytes + " bytes");
            if ((head >>> 40 & 0xff) != 0) throw ConnectionRefusedException.malformed("a request with a status");
            refuseOutOfTurn(from, kind);
            if (from.inputBytes() < bytes) {
                from.makeRoom((int) bytes);
                return;
            }
            if (kind == Frame.ROUND) round(from, in, at, (int) bytes, (int) (head >>> 48));
            else other(from, kind, in, at, (int) bytes, (int) (head >>> 48));
            from.consumed((int) bytes);
        }
    }

    private static void refuseOutOfTurn(ClientConnection from, int kind) throws ConnectionRefusedException {
        boolean inTurn =
                switch (from.phase) {
                    case HELLO -> kind == Frame.HELLO;
                    case PROOF -> kind == Frame.PROOF;
                    default ->
                        kind == Frame.ROUND || kind == Frame.CONTROL || kind == Frame.BEAT || kind == Frame.GOODBYE;
                };
        if (!inTurn) throw ConnectionRefusedException.malformed("a frame of kind " + kind + " out of turn");
    }

    private void round(ClientConnection from, MemorySegment in, long at, int bytes, int count)
            throws ConnectionRefusedException {
        int max = RoundValidator.answerBytes(in, at, bytes, count, limits.frameBytes());
        if (max == RoundValidator.MALFORMED)
            throw ConnectionRefusedException.malformed("a ROUND that breaks the rules");
        Outbox out = from.out();
        out.reserve(max);
        long tail = Words.plain(in, at + Words.BYTES);
        int answered = rounds.execute(from, in, at, count, tail, out.memory(), out.at());
        if (rounds.ticket() > 0) connections.hold(from, rounds.ticket(), rounds.isFlushLast());
        out.appended(answered);
    }

    private void other(ClientConnection from, int kind, MemorySegment in, long at, int bytes, int count)
            throws ConnectionRefusedException {
        long tail = Words.plain(in, at + Words.BYTES);
        if ((int) tail != 0) throw ConnectionRefusedException.malformed("a link where there is none");
        int sequence = (int) (tail >>> 32);
        switch (kind) {
            case Frame.HELLO -> {
                if (count != 0) throw ConnectionRefusedException.malformed("a HELLO with a count");
                connections.hello(from, in, at, bytes);
            }
            case Frame.PROOF -> {
                if (count != 0) throw ConnectionRefusedException.malformed("a PROOF with a count");
                connections.proof(from, in, at, bytes);
            }
            case Frame.CONTROL -> control(from, sequence, in, at, bytes, count);
            case Frame.BEAT -> {
                empty(bytes, count);
                counters.count(NodeCounter.BEATS);
                from.out().send(Frame.BEAT, 0, sequence, NOTHING, 0);
            }
            default -> {
                empty(bytes, count);
                from.goodbye = true;
            }
        }
    }

    private static void empty(int bytes, int count) throws ConnectionRefusedException {
        if (bytes != Frame.HEADER || count != 0)
            throw ConnectionRefusedException.malformed("a body where there is none");
    }

    private void control(ClientConnection from, int sequence, MemorySegment in, long at, int bytes, int count)
            throws ConnectionRefusedException {
        long operation = count == 0 ? 0 : Words.plain(in, at + Frame.HEADER);
        int wanted = ControlExecutor.arguments(operation);
        if (wanted < 0 || wanted != count - 1 || bytes != Frame.HEADER + count * Words.BYTES)
            throw ConnectionRefusedException.malformed("a CONTROL that breaks the rules");
        long[] words = new long[wanted];
        for (int i = 0; i < wanted; i++) words[i] = Words.plain(in, at + Frame.HEADER + (long) (i + 1) * Words.BYTES);
        counters.count(NodeCounter.CONTROLS);
        reply(from, sequence, controls.execute(from, sequence, (int) operation, words));
    }

    /** Sends the answer of a control call. Null means that the answer comes later. */
    void reply(ClientConnection to, int sequence, ControlReply reply) {
        if (reply == null || to.isOver()) return;
        if (reply.status() != 0) counters.count(NodeCounter.CONTROLS_REFUSED);
        if (reply.words() != null)
            to.out().send(Frame.REPLY, reply.status(), sequence, reply.words(), reply.words().length);
        else to.out().send(Frame.REPLY, reply.status(), sequence, reply.text());
    }
}
