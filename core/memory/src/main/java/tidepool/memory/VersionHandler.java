package tidepool.memory;

import java.lang.foreign.MemorySegment;
import tidepool.base.Id128;
import tidepool.base.Words;

/**
 * A CALL handler for a {@link VersionTable} that many processes share, in a region of this node. The parts of a request
 * are executed in order.
 *
 * <pre>
 *    request:  capability of the region (2 words) | id | forget: mask, dead session
 *              | settle n | announce n | look n | fill n
 *              | n × { place, version } | n × { place } | n × { place, version seen } | n × { place, version }
 *    reply:    status (0 done, 1 a set is held, 2 refused) | holder or announcer | an answer for each look
 * </pre>
 *
 * A request with a mask forgets the announcements of the dead session; its other parts are empty then.
 */
public final class VersionHandler {
    public static final long CAPABILITY_HIGH = 0;
    public static final long CAPABILITY_LOW = 8;
    public static final long ID = 16;
    public static final long FORGET_MASK = 24;
    public static final long DEAD = 32;
    public static final long SETTLES = 40;
    public static final long ANNOUNCES = 48;
    public static final long LOOKS = 56;
    public static final long FILLS = 64;
    public static final long PARTS = 72;

    public static final long STATUS = 0;
    public static final long HOLDER = 8;
    public static final long ANSWERS = 16;

    public static final long DONE = 0;
    public static final long HELD = 1;
    public static final long REFUSED = 2;

    private VersionHandler() {}

    static int handle(
            MemoryNode node, int session, MemorySegment request, MemorySegment reply, WriteListener listener) {
        if (reply.byteSize() < ANSWERS) return 0;
        reply.set(Words.U64, STATUS, REFUSED);
        if (request.byteSize() < PARTS) return (int) ANSWERS;
        NodeRegion region = node.openRegion(
                new Id128(request.get(Words.U64, CAPABILITY_HIGH), request.get(Words.U64, CAPABILITY_LOW)));
        if (region == null || !isSound(request, reply)) return (int) ANSWERS;
        VersionTable table = new VersionTable(region.data(), (at, length) -> listener.written(region, at, length));
        boolean done = true;
        if (request.get(Words.U64, FORGET_MASK) != 0)
            table.forget(request.get(Words.U64, ID), request.get(Words.U64, FORGET_MASK), request.get(Words.U64, DEAD));
        else done = execute(table, session, request, reply);
        reply.set(Words.U64, STATUS, done ? DONE : HELD);
        reply.set(Words.U64, HOLDER, table.holder());
        return (int) (ANSWERS + request.get(Words.U64, LOOKS) * Words.BYTES);
    }

    /** Returns whether the counts fit the length of the request, and the answers fit into the reply. */
    private static boolean isSound(MemorySegment request, MemorySegment reply) {
        long max = request.byteSize() / Words.BYTES;
        long words = 0;
        for (long at = SETTLES; at < PARTS; at += Words.BYTES) {
            long count = request.get(Words.U64, at);
            if (count < 0 || count > max) return false;
            words += at == ANNOUNCES ? count : 2 * count;
        }
        return PARTS + words * Words.BYTES <= request.byteSize()
                && ANSWERS + request.get(Words.U64, LOOKS) * Words.BYTES <= reply.byteSize();
    }

    private static boolean execute(VersionTable table, int session, MemorySegment request, MemorySegment reply) {
        long id = request.get(Words.U64, ID);
        boolean done = true;
        long at = PARTS;
        for (long i = request.get(Words.U64, SETTLES); i > 0; i--, at += 16)
            done &= table.settle(word(request, at), word(request, at + 8), session);
        for (long i = request.get(Words.U64, ANNOUNCES); i > 0; i--, at += 8)
            done &= table.announce(word(request, at), id, session);
        long answer = ANSWERS;
        for (long i = request.get(Words.U64, LOOKS); i > 0; i--, at += 16, answer += 8)
            reply.set(Words.U64, answer, table.look(word(request, at), word(request, at + 8), id, session));
        for (long i = request.get(Words.U64, FILLS); i > 0; i--, at += 16)
            table.fill(word(request, at), word(request, at + 8), id, session);
        return done;
    }

    private static long word(MemorySegment request, long at) {
        return request.get(Words.U64, at);
    }
}
