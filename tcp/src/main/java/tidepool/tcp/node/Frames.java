package tidepool.tcp.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.tcp.wire.Frame;

/** Takes frames off a connection one by one, checks each completely, and has it carried out. */
final class Frames {
    private final NodeLimits limits;
    private final NodeCounters counters;
    private final Connections connections;
    private final RoundExecutor rounds;
    private final ControlExecutor controls;
    private static final long[] NOTHING = {};

    /** The first two bytes of a TLS client: a record of a handshake, version 3.x. */
    private static final int TLS_HANDSHAKE = 0x0316;

    Frames(NodeLimits limits, NodeCounters counters, Connections connections, ControlExecutor controls) {
        this.limits = limits;
        this.counters = counters;
        this.connections = connections;
        this.rounds = new RoundExecutor(counters);
        this.controls = controls;
    }

    /** Carries out the frames that are there, in their order, until one is not complete or has to wait. */
    void carryOut(Connection from) throws Refused {
        while (from.inputBytes() >= Frame.HEADER && !from.isBlocked(limits)) {
            MemorySegment in = from.input();
            long at = from.inputAt();
            long head = Words.plain(in, at);
            long bytes = head & 0xffffffffL;
            int kind = (int) (head >>> 32) & 0xff;
            long most = from.isStranger() ? Frame.MOST_HANDSHAKE_BYTES : limits.frameBytes();
            if (from.phase == Connection.Phase.HELLO && (head & 0xffff) == TLS_HANDSHAKE)
                throw Refused.malformed("the client speaks TLS, and this node none");
            if (bytes < Frame.HEADER || (bytes & (Words.BYTES - 1)) != 0 || bytes > most)
                throw Refused.malformed("a frame of " + bytes + " bytes");
            if ((head >>> 40 & 0xff) != 0) throw Refused.malformed("a request with a status");
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

    private static void refuseOutOfTurn(Connection from, int kind) throws Refused {
        boolean inTurn =
                switch (from.phase) {
                    case HELLO -> kind == Frame.HELLO;
                    case PROOF -> kind == Frame.PROOF;
                    default ->
                        kind == Frame.ROUND || kind == Frame.CONTROL || kind == Frame.BEAT || kind == Frame.GOODBYE;
                };
        if (!inTurn) throw Refused.malformed("a frame of kind " + kind + " out of turn");
    }

    private void round(Connection from, MemorySegment in, long at, int bytes, int count) throws Refused {
        int most = RoundCheck.answerBytes(in, at, bytes, count, limits.frameBytes());
        if (most == RoundCheck.MALFORMED) throw Refused.malformed("a ROUND that breaks the rules");
        Outbox out = from.out();
        out.reserve(most);
        long tail = Words.plain(in, at + Words.BYTES);
        int answered = rounds.carryOut(from, in, at, count, tail, out.memory(), out.at());
        if (rounds.ticket() > 0) connections.hold(from, rounds.ticket(), rounds.isFlushLast());
        out.appended(answered);
    }

    private void other(Connection from, int kind, MemorySegment in, long at, int bytes, int count) throws Refused {
        long tail = Words.plain(in, at + Words.BYTES);
        if ((int) tail != 0) throw Refused.malformed("a link where there is none");
        int sequence = (int) (tail >>> 32);
        switch (kind) {
            case Frame.HELLO -> {
                if (count != 0) throw Refused.malformed("a HELLO with a count");
                connections.hello(from, in, at, bytes);
            }
            case Frame.PROOF -> {
                if (count != 0) throw Refused.malformed("a PROOF with a count");
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

    private static void empty(int bytes, int count) throws Refused {
        if (bytes != Frame.HEADER || count != 0) throw Refused.malformed("a body where there is none");
    }

    private void control(Connection from, int sequence, MemorySegment in, long at, int bytes, int count)
            throws Refused {
        long operation = count == 0 ? 0 : Words.plain(in, at + Frame.HEADER);
        int wanted = ControlExecutor.arguments(operation);
        if (wanted < 0 || wanted != count - 1 || bytes != Frame.HEADER + count * Words.BYTES)
            throw Refused.malformed("a CONTROL that breaks the rules");
        long[] words = new long[wanted];
        for (int i = 0; i < wanted; i++) words[i] = Words.plain(in, at + Frame.HEADER + (long) (i + 1) * Words.BYTES);
        counters.count(NodeCounter.CONTROLS);
        reply(from, sequence, controls.carryOut(from, sequence, (int) operation, words));
    }

    /** Null comes later. */
    void reply(Connection to, int sequence, ControlReply reply) {
        if (reply == null || to.isOver()) return;
        if (reply.status() != 0) counters.count(NodeCounter.CONTROLS_REFUSED);
        if (reply.words() != null)
            to.out().send(Frame.REPLY, reply.status(), sequence, reply.words(), reply.words().length);
        else to.out().send(Frame.REPLY, reply.status(), sequence, reply.text());
    }
}
