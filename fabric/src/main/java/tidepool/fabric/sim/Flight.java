package tidepool.fabric.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import tidepool.base.Words;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;
import tidepool.memory.Access;
import tidepool.memory.ChainWork;

/**
 * A verb under way: what was asked, as it was when it was posted, and how far it has come. Pooled; it goes back when no
 * event, no connection and no round knows it any more.
 *
 * <pre>
 *   posted -> [held by a fence] -> arrives -> [waits for its order] -> takes effect, in 1 to 3 parts -> answered
 *                 requester          node                                                               requester
 * </pre>
 */
public final class Flight extends Event {
    static final int ARRIVE = 0;
    static final int EFFECT = 1;
    /** Tags PART + 1 and PART + 2 are the second and third part. */
    static final int PART = 2;

    static final int HANDLER = 5;
    static final int CHAIN_STEP = 6;
    static final int COMPLETE = 7;
    static final int DUPLICATE = 8;

    /** Any alignment: landing memory is the caller's. */
    private static final ValueLayout.OfLong LOCAL = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int FEW_WORDS = 8;

    private final SimFabric fabric;

    // ---- who asked
    SimStrand strand;
    long strandVerb;
    SimLink link;
    Connection connection;
    RoundTracker tracker; // null once the round has given up or was answered
    int index;
    long number; // on its connection, from 0
    boolean fenced;
    boolean held;

    // ---- what
    VerbKind kind;
    SimRegion region;
    long offset;
    long length;
    long operand;
    long desired;
    long compareMask;
    long swapMask;
    long replyLength;
    long[] words = new long[FEW_WORDS]; // what a WRITE sends, what a READ or an atomic found
    int wordCount;
    MemorySegment bytes; // of a CALL: its request, then its reply
    ChainWork chain;

    // ---- how far it has come
    int access;
    boolean notDone; // the node had broken the connection before
    boolean waitsForOrder;
    boolean begun;
    boolean applied;
    boolean crashesStrand; // its strand dies when it takes effect
    int parts;
    int partsLeft;
    long tearSeed;
    long postedNanos;
    long replyBytes;

    // ---- lists and pool
    Flight olderUnapplied;
    Flight newerUnapplied;
    Flight olderUnanswered;
    Flight newerUnanswered;
    boolean inUnapplied;
    boolean inUnanswered;
    int openEvents;
    Flight nextFree;
    boolean free;

    Flight(SimFabric fabric, Simulation simulation) {
        super(simulation);
        this.fabric = fabric;
    }

    // ---- for listeners

    /** The strand that posted it; null if it was posted from outside. */
    public String strandName() {
        return strand == null ? null : strand.strand.name();
    }

    /** Its number among the verbs of its strand, from 0: the index of a crash point. */
    public long strandVerb() {
        return strandVerb;
    }

    public VerbKind kind() {
        return kind;
    }

    public int node() {
        return link.simNode.number();
    }

    public int session() {
        return link.lane().session().number();
    }

    /** The number of the region in its node; -1 for FLUSH and CALL. */
    public int regionNumber() {
        return region == null ? -1 : region.number();
    }

    public long offset() {
        return offset;
    }

    public long length() {
        return length;
    }

    /** What a WRITE sends, what a READ or atomic found: the i-th word. */
    public long word(int i) {
        return words[i];
    }

    public boolean isTorn() {
        return parts > 1;
    }

    // ---- its way

    @Override
    void happen(int tag) {
        openEvents--;
        if (fabric.isClosed()) return; // its memory is gone
        SimNode node = link.simNode;
        switch (tag) {
            case ARRIVE -> node.arrive(this);
            case EFFECT -> node.takeEffect(this);
            case HANDLER -> node.work.runHandler(this);
            case CHAIN_STEP -> node.work.chainStep(this);
            case COMPLETE -> link.simLane.completed(this);
            case DUPLICATE -> link.simLane.completed(this);
            default -> node.applyPart(this, tag - PART);
        }
        fabric.releaseIfOver(this);
    }

    void at(long nanos, int tag) {
        openEvents++;
        fabric.simulation().schedule(this, nanos, tag);
    }

    /** Copies the question, and the words or bytes that it sends: a NIC may fetch them at any time from now on. */
    void ask(Verb verb, SimLink link, RoundTracker tracker, int index, SimStrand strand) {
        this.link = link;
        this.connection = link.connection;
        this.tracker = tracker;
        this.index = index;
        this.strand = strand;
        kind = verb.kind();
        region = (SimRegion) verb.region();
        offset = verb.offset();
        length = verb.length();
        operand = verb.operand();
        fenced = verb.fenced();
        held = false;
        access = Access.GRANTED;
        notDone = false;
        waitsForOrder = false;
        begun = false;
        applied = false;
        crashesStrand = false;
        parts = 1;
        partsLeft = 1;
        wordCount = 0;
        switch (kind) {
            case READ -> reserveWords(verb);
            case WRITE -> captureWords(verb);
            case CAS, FAA -> desired = verb.desired();
            case MASKED_CAS, MASKED_FAA -> {
                desired = verb.desired();
                compareMask = verb.compareMask();
                swapMask = verb.swapMask();
            }
            case CALL -> captureBytes(verb);
            case FLUSH, CHAIN -> {}
        }
    }

    /** Words of a range that can be granted; otherwise none, because the node will refuse it. */
    private void reserveWords(Verb verb) {
        if (region.accessHere(offset, length) != Access.GRANTED) return;
        java.util.Objects.checkFromIndexSize(
                verb.localOffset(), length, verb.local().byteSize());
        wordCount = (int) (length / Words.BYTES);
        if (words.length < wordCount) words = new long[Math.max(wordCount, 2 * words.length)];
    }

    private void captureWords(Verb verb) {
        MemorySegment source = verb.local();
        if (source == null) {
            wordCount = 1;
            words[0] = operand;
            return;
        }
        reserveWords(verb);
        long from = verb.localOffset();
        if (wordCount > FEW_WORDS) MemorySegment.copy(source, LOCAL, from, words, 0, wordCount);
        else for (int i = 0; i < wordCount; i++) words[i] = source.get(LOCAL, from + (long) i * Words.BYTES);
    }

    private void captureBytes(Verb verb) {
        replyLength = verb.replyLength();
        long needed = Math.max(length, replyLength);
        if (bytes == null || bytes.byteSize() < 2 * needed)
            bytes = Arena.ofAuto().allocate(2 * Math.max(64, (needed + 7) & -8), Words.BYTES);
        MemorySegment.copy(verb.local(), verb.localOffset(), bytes, 0, length);
    }

    MemorySegment request() {
        return bytes.asSlice(0, length).asReadOnly();
    }

    MemorySegment reply() {
        long half = bytes.byteSize() / 2;
        return bytes.asSlice(half, replyLength);
    }

    /** True if the source of a WRITE is not what it was at post: a real NIC might have sent the change. */
    boolean sourceChanged(Verb verb) {
        if (kind != VerbKind.WRITE || verb.local() == null) return false;
        for (int i = 0; i < wordCount; i++)
            if (verb.local().get(LOCAL, verb.localOffset() + (long) i * Words.BYTES) != words[i]) return true;
        return false;
    }

    /** Puts what was found where the caller wants it. */
    void land(Verb verb) {
        MemorySegment landing = verb.local();
        switch (kind) {
            case READ -> {
                long to = verb.localOffset();
                if (wordCount > FEW_WORDS) MemorySegment.copy(words, 0, landing, LOCAL, to, wordCount);
                else for (int i = 0; i < wordCount; i++) landing.set(LOCAL, to + (long) i * Words.BYTES, words[i]);
            }
            case CAS, FAA, MASKED_CAS, MASKED_FAA -> {
                if (landing != null) landing.set(LOCAL, verb.localOffset(), words[0]);
            }
            case CALL -> MemorySegment.copy(reply(), 0, verb.reply(), verb.replyOffset(), replyBytes);
            case WRITE, FLUSH, CHAIN -> {}
        }
    }

    /** Garbage where the answer will land, so that whoever looks before the round is awaited sees it. */
    void scribble(Verb verb, long garbage) {
        switch (kind) {
            case READ -> {
                for (int i = 0; i < wordCount; i++)
                    verb.local().set(LOCAL, verb.localOffset() + (long) i * Words.BYTES, garbage ^ (long) i << 56);
            }
            case CAS, FAA, MASKED_CAS, MASKED_FAA -> {
                if (verb.local() != null) verb.local().set(LOCAL, verb.localOffset(), garbage);
            }
            case CALL ->
                verb.reply().asSlice(verb.replyOffset(), verb.replyLength()).fill((byte) garbage);
            case WRITE, FLUSH, CHAIN -> {}
        }
    }

    /** Which part a word belongs to: a random subset, or a cut anywhere with either side first. */
    int partOf(int word) {
        if (parts == 1) return 0;
        int mode = (int) (tearSeed & 3);
        if (mode < 2) {
            long h = Trace.mix(tearSeed, word);
            return (int) ((h >>> 33) % parts);
        }
        int cut = 1 + (int) ((tearSeed >>> 8 & 0xffffff) % (wordCount - 1));
        boolean lower = word < cut;
        return lower == (mode == 2) ? 0 : parts - 1;
    }

    /** A crash point waits for this verb to take effect, or for the certainty that it never will. */
    void crashIfPlanned() {
        if (!crashesStrand) return;
        crashesStrand = false;
        if (strand.crashPoint.wholeMachine()) strand.machine().crash();
        fabric.simulation().crash(strand);
    }

    /** Bytes of memory it touches; 0 if it will be refused, whatever length it asked for. */
    long memoryBytes() {
        return (long) wordCount * Words.BYTES;
    }

    /** Bytes it carries to the node, header apart. */
    long bytesOut() {
        return switch (kind) {
            case WRITE -> memoryBytes();
            case CALL -> length;
            case CAS, FAA -> 16;
            case MASKED_CAS, MASKED_FAA -> 32;
            case READ, FLUSH, CHAIN -> 0;
        };
    }

    /** Bytes its answer carries, header apart. */
    long bytesBack() {
        return switch (kind) {
            case READ -> memoryBytes();
            case CAS, FAA, MASKED_CAS, MASKED_FAA -> Words.BYTES;
            case CALL -> replyBytes;
            case WRITE, FLUSH, CHAIN -> 0;
        };
    }

    boolean isAtomic() {
        return kind == VerbKind.CAS
                || kind == VerbKind.FAA
                || kind == VerbKind.MASKED_CAS
                || kind == VerbKind.MASKED_FAA;
    }

    /** For the trace: what happened where. */
    long where() {
        return (long) link.simNode.number() << 56 ^ (long) regionNumber() << 48 ^ offset;
    }

    /** For the trace: all words, or what an atomic found. */
    long value() {
        long h = (long) kind.ordinal() << 56 ^ length;
        for (int i = 0; i < wordCount; i++) h = Trace.mix(h, words[i]);
        return h;
    }
}
