package tidepool.fabric;

import java.lang.foreign.MemorySegment;

/**
 * One verb of a round: what the coordinator asked, and what became of it. Rounds own their verbs and use them again, so
 * nothing is allocated per round; fabrics read the question and write the answer.
 */
public final class Verb {
    /**
     * The number of its kind: no reference, whose store would cost the garbage collector's barrier. Above it, in the first
     * verb of a {@link Group}, what group that is.
     */
    int code;

    Region region;

    /** Of a verb without a region; any other travels on the link of its region. */
    Link link;

    long offset;
    long length;
    MemorySegment local;

    /** {@link #NOWHERE} if there is no place here; {@link #local} is of an earlier use then. */
    long localOffset;

    long operand;
    long desired;
    long compareMask;
    long swapMask;
    MemorySegment reply;
    long replyOffset;
    long replyLength;
    boolean fenced;

    /** What became of it. Rounds in which a verb failed forget that before they are built anew, so that it need not be set. */
    Effect effect = Effect.DONE;

    Refusal refusal;

    /** Of {@link #localOffset}. */
    static final long NOWHERE = -1;

    Verb() {}

    public VerbKind kind() {
        return VerbKind.of(code());
    }

    /** The number of its kind, {@link VerbKind#ordinal()}: for fabrics that are in a hurry. */
    public int code() {
        return code & Group.KIND;
    }

    /** For fabrics that carry out groups: the number of its kind, or the {@link Group} of which it is the first. */
    public int shape() {
        return code;
    }

    /** The connection it travels on. */
    public Link link() {
        return region != null ? region.link() : link;
    }

    /** The region it touches; null for FLUSH and CALL. */
    public Region region() {
        return region;
    }

    /** Bytes into the region. */
    public long offset() {
        return offset;
    }

    /** Bytes of memory it touches; for CALL, bytes of the request. */
    public long length() {
        return length;
    }

    /**
     * The place here: where a READ lands, what a WRITE or CALL sends, where an atomic leaves the word it found. Null for
     * a WRITE of one word that travels in the verb itself ({@link #operand()}), and for an atomic whose answer nobody
     * wants.
     */
    public MemorySegment local() {
        return hasLocal() ? local : null;
    }

    /** Whether there is a place here, see {@link #local()}. */
    public boolean hasLocal() {
        return localOffset != NOWHERE;
    }

    /** Bytes into {@link #local()}, if there is one. */
    public long localOffset() {
        return localOffset;
    }

    /** CAS: the word expected. FAA: the number added. WRITE of one word: the word. CALL: the handler's number. */
    public long operand() {
        return operand;
    }

    /** CAS: the word to put. */
    public long desired() {
        return desired;
    }

    /** Masked CAS: the bits that are compared. Masked FAA: the top bit of each field, over which no carry passes. */
    public long compareMask() {
        return compareMask;
    }

    /** Masked CAS: the bits that are replaced. */
    public long swapMask() {
        return swapMask;
    }

    /** Where the answer of a CALL lands. */
    public MemorySegment reply() {
        return reply;
    }

    public long replyOffset() {
        return replyOffset;
    }

    /** The most bytes of answer that fit. */
    public long replyLength() {
        return replyLength;
    }

    /** Whether it must take effect after everything before it on its connection. */
    public boolean fenced() {
        return fenced;
    }

    /** What became of it; meaningful once the round was awaited or failed. */
    public Effect effect() {
        return effect;
    }

    /** Why the memory side refused it; null unless it did. */
    public Refusal refusal() {
        return refusal;
    }

    /** For fabrics: it took effect. So it is taken to have in any case, unless its round fails. */
    public void done() {
        if (effect != Effect.DONE) effect = Effect.DONE;
    }

    /** Forgets what is true of few. */
    void reset() {
        effect = Effect.DONE;
        refusal = null;
        fenced = false;
    }

    /** For fabrics: what became of it when its round failed. */
    public void failed(Effect effect, Refusal refusal) {
        this.effect = effect;
        this.refusal = refusal;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(64)
                .append("verb=")
                .append(kind())
                .append(" target=m")
                .append(link().node());
        if (region != null)
            text.append("/r").append(region.number()).append("+0x").append(Long.toHexString(offset));
        if (kind() == VerbKind.READ || kind() == VerbKind.WRITE)
            text.append(" length=").append(length);
        return text.toString();
    }
}
