package tidepool.memory;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * The numbered handlers that a two-sided CALL reaches. They know bytes only and run on the CPU of the memory node. So
 * there are few, and a node may be started without any.
 */
public final class Handlers {
    /** Answers with the request. */
    public static final int ECHO = 0;

    /** Answers with {@link NodeStatistics}: one word for each component, in order. */
    public static final int STATISTICS = 1;

    /** Serves a version table that many processes share: {@link VersionHandler}. */
    public static final int VERSIONS = 2;

    /** Handler numbers go from 0 to one less than this. */
    public static final int MAX_HANDLERS = 256;

    private static final Handlers OFF = new Handlers(new Handler[0]);

    private final Handler[] table;

    /** The code that answers one CALL. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Reads the request and writes the reply; may keep neither. Returns the length of the reply. A reply that does
         * not fit is cut, so a caller that leaves too little room gets its beginning.
         *
         * @param listener called for every changed byte of a region
         */
        int handle(MemoryNode node, int session, MemorySegment request, MemorySegment reply, WriteListener listener);
    }

    /** Creates the handlers ECHO, STATISTICS and VERSIONS; {@link #with} adds others. */
    public Handlers() {
        this(new Handler[MAX_HANDLERS]);
        table[ECHO] = Handlers::echo;
        table[STATISTICS] = Handlers::statistics;
        table[VERSIONS] = VersionHandler::handle;
    }

    private Handlers(Handler[] table) {
        this.table = table;
    }

    /** Returns an empty set of handlers. Every CALL is refused, and one-sided protocols must still run completely. */
    public static Handlers off() {
        return OFF;
    }

    /** Returns these handlers and one more. */
    public Handlers with(int number, Handler handler) {
        Checks.argument(areOn(), "handlers are off");
        Checks.argument(
                number >= 0 && number < MAX_HANDLERS,
                "a handler's number is 0 to " + (MAX_HANDLERS - 1) + ": number=" + number);
        Checks.argument(table[number] == null, "the number is taken: number=" + number);
        Handler[] more = table.clone();
        more[number] = handler;
        return new Handlers(more);
    }

    public boolean areOn() {
        return table.length > 0;
    }

    /** Returns the handler of a number; null if there is none. */
    public Handler get(int number) {
        return number < 0 || number >= table.length ? null : table[number];
    }

    private static int echo(
            MemoryNode node, int session, MemorySegment request, MemorySegment reply, WriteListener listener) {
        long length = Math.min(request.byteSize(), reply.byteSize());
        MemorySegment.copy(request, 0, reply, 0, length);
        return (int) length;
    }

    private static int statistics(
            MemoryNode node, int session, MemorySegment request, MemorySegment reply, WriteListener listener) {
        long[] words = node.statistics().words();
        int count = (int) Math.min(words.length, reply.byteSize() / Words.BYTES);
        for (int i = 0; i < count; i++) reply.set(Words.U64, (long) i * Words.BYTES, words[i]);
        return count * Words.BYTES;
    }
}
