package tidepool.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import tidepool.base.Words;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;
import tidepool.memory.AccessCode;
import tidepool.memory.ChainedWorkExecutor;

/**
 * A verb under way: its request at the time of posting, and its progress. Pooled; it goes back when no event, no
 * connection and no round refers to it.
 *
 * <pre>
 *   posted -> [held by a fence] -> arrives -> [waits for its order] -> takes effect, in 1 to 3 parts -> answered
 *                 requester          node                                                               requester
 * </pre>
 */
public final class VerbInFlight extends Event {
    static final int ARRIVE = 0;
    static final int EFFECT = 1;
    /** Tags PART + 1 and PART + 2 are the second and third part. */
    static final int PART = 2;

    static final int HANDLER = 5;
    static final int CHAIN_STEP = 6;
    static final int COMPLETE = 7;
    static final int DUPLICATE = 8;

    /** Any alignment: landing memory belongs to the caller. */
    private static final ValueLayout.OfLong LOCAL = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int FEW_WORDS = 8;

    private final SimFabric fabric;

    // ---- origin
    SimStrand strand;
    long strandVerb;
    SimLink link;
    SimConnection connection;
    RoundTracker tracker; // null once the round has given up or was answered
    int index;
    int label; // of its round
    long number; // on its connection, from 0
    boolean fenced;
    boolean held;

    // ---- request
    VerbKind kind;
    SimRegion region;
    long offset;
    long length;
    long operand;
    long desired;
    long compareMask;
    long swapMask;
    long replyLength;
    long[] words = new long[FEW_WORDS]; // the words that a WRITE sends, or that a READ or an atomic found
    int wordCount;
    MemorySegment bytes; // of a CALL: its request, then its reply
    ChainedWorkExecutor chain;

    // ---- progress
    int access;
    boolean notDone; // the node had broken the connection before
    boolean waitsForOrder;
    boolean begun;
    boolean crashesStrand; // its strand dies when it takes effect
    int parts;
    int partsLeft;
    long tearSeed;
    long replyBytes;

    // ---- lists and pool
    VerbInFlight olderUnapplied;
    VerbInFlight newerUnapplied;
    VerbInFlight olderUnanswered;
    VerbInFlight newerUnanswered;
    boolean inUnapplied;
    boolean inUnanswered;
    int openEvents;
    VerbInFlight nextFree;
    boolean free;

    VerbInFlight(SimFabric fabric, Simulation simulation) {
        super(simulation);
        this.fabric = fabric;
    }

    // ---- for listeners

    /** Returns the strand that posted it; null if it was posted from outside. */
    public String strandName() {
        return strand == null ? null : strand.strand.name();
    }

    /** Returns its number among the verbs of its strand, from 0: the index of a crash point. */
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

    /** Returns the number of the region in its node; -1 for FLUSH and CALL. */
    public int regionNumber() {
        return region == null ? -1 : region.number();
    }

    public long offset() {
        return offset;
    }

    public long length() {
        return length;
    }

    /** Returns the i-th of the words that a WRITE sends, or that a READ or atomic found. */
    public long word(int i) {
        return words[i];
    }

    // ---- path

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

    /** Copies the request, and the words or bytes that it sends: a NIC may fetch them at any time from now on. */
    void ask(Verb verb, SimLink link, RoundTracker tracker, int index, SimStrand strand) {
        this.link = link;
        this.connection = link.connection;
        this.tracker = tracker;
        this.index = index;
        this.strand = strand;
        label = tracker.round.label();
        kind = verb.kind();
        region = (SimRegion) verb.region();
        offset = verb.offset();
        length = verb.length();
        operand = verb.operand();
        fenced = verb.fenced();
        held = false;
        access = AccessCode.GRANTED;
        notDone = false;
        waitsForOrder = false;
        begun = false;
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

    /** Reserves the words of a range that can be granted; otherwise none, because the node will refuse it. */
    private void reserveWords(Verb verb) {
        if (region.accessHere(offset, length) != AccessCode.GRANTED) return;
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

    /** Returns true if the source of a WRITE has changed since it was posted: a real NIC might have sent the change. */
    boolean sourceChanged(Verb verb) {
        if (kind != VerbKind.WRITE || verb.local() == null) return false;
        for (int i = 0; i < wordCount; i++)
            if (verb.local().get(LOCAL, verb.localOffset() + (long) i * Words.BYTES) != words[i]) return true;
        return false;
    }

    /** Writes the result to the landing place of the caller. */
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

    /**
     * Writes garbage to the landing place, so that code which reads it before the round is awaited sees the garbage.
     */
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

    /** Returns the part to which a word belongs: a random subset, or a cut anywhere with either side first. */
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

    /** Crashes the strand if a crash point waits for this verb. Called when it took effect, or never will. */
    void crashIfPlanned() {
        if (!crashesStrand) return;
        crashesStrand = false;
        if (strand.crashPoint.wholeMachine()) strand.machine().crash();
        fabric.simulation().crash(strand);
    }

    /** Returns the bytes of memory it accesses; 0 if it will be refused, whatever its length. */
    long memoryBytes() {
        return (long) wordCount * Words.BYTES;
    }

    /** Returns the bytes it sends to the node, without the header. */
    long bytesOut() {
        return switch (kind) {
            case WRITE -> memoryBytes();
            case CALL -> length;
            case CAS, FAA -> 16;
            case MASKED_CAS, MASKED_FAA -> 32;
            case READ, FLUSH, CHAIN -> 0;
        };
    }

    /** Returns the bytes of its answer, without the header. */
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

    /** For the trace: returns the place of the event. */
    long where() {
        return (long) link.simNode.number() << 56 ^ (long) regionNumber() << 48 ^ offset;
    }

    /** For the trace: returns a hash of all words, or of the word that an atomic found. */
    long value() {
        long h = (long) kind.ordinal() << 56 ^ length;
        for (int i = 0; i < wordCount; i++) h = Trace.mix(h, words[i]);
        return h;
    }
}
