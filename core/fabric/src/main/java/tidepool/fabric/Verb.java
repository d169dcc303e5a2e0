package tidepool.fabric;

import java.lang.foreign.MemorySegment;

/**
 * One verb of a round: the request of the coordinator, and its result. Rounds own their verbs and reuse them, so
 * nothing is allocated per round. Fabrics read the request and write the result.
 */
public final class Verb {
    /**
     * The number of its kind. It is no reference, whose store would cost the barrier of the garbage collector. In the
     * first verb of a {@link VerbGroup}, the upper bits name the group.
     */
    int code;

    Region region;

    /** The link of a verb without a region. Any other verb uses the link of its region. */
    Link link;

    long offset;
    long length;
    MemorySegment local;

    /** {@link #NOWHERE} if there is no local place; then {@link #local} is left over from an earlier use. */
    long localOffset;

    long operand;
    long desired;
    long compareMask;
    long swapMask;
    MemorySegment reply;
    long replyOffset;
    long replyLength;
    boolean fenced;

    /**
     * The result. A round with a failed verb resets it before it is built anew, so that it need not be set for each
     * use.
     */
    Effect effect = Effect.DONE;

    Refusal refusal;

    /** A value of {@link #localOffset}: no local place. */
    static final long NOWHERE = -1;

    Verb() {}

    public VerbKind kind() {
        return VerbKind.of(code());
    }

    /** Returns the number of its kind, {@link VerbKind#ordinal()}: for fast paths of fabrics. */
    public int code() {
        return code & VerbGroup.KIND;
    }

    /**
     * For fabrics that execute groups: returns the number of its kind, or the {@link VerbGroup} of which it is the
     * first.
     */
    public int shape() {
        return code;
    }

    /** Returns the connection on which it is sent. */
    public Link link() {
        return region != null ? region.link() : link;
    }

    /** Returns the region it accesses; null for FLUSH and CALL. */
    public Region region() {
        return region;
    }

    /** Returns the offset in the region, in bytes. */
    public long offset() {
        return offset;
    }

    /** Returns the bytes of memory it accesses; for CALL, bytes of the request. */
    public long length() {
        return length;
    }

    /**
     * Returns the local place: the landing place of a READ, the source of a WRITE or CALL, the place for the word that
     * an atomic finds. Null for a WRITE of one word that is sent in the verb itself ({@link #operand()}), and for an
     * atomic whose result is not needed.
     */
    public MemorySegment local() {
        return hasLocal() ? local : null;
    }

    /** Returns whether there is a local place, see {@link #local()}. */
    public boolean hasLocal() {
        return localOffset != NOWHERE;
    }

    /** Returns the offset in {@link #local()}, if there is one, in bytes. */
    public long localOffset() {
        return localOffset;
    }

    /** CAS: the word expected. FAA: the number added. WRITE of one word: the word. CALL: the handler's number. */
    public long operand() {
        return operand;
    }

    /** CAS: the word to write. */
    public long desired() {
        return desired;
    }

    /** Masked CAS: the bits that are compared. Masked FAA: the top bit of each field, which no carry passes. */
    public long compareMask() {
        return compareMask;
    }

    /** Masked CAS: the bits that are replaced. */
    public long swapMask() {
        return swapMask;
    }

    /** Returns the place where the answer of a CALL lands. */
    public MemorySegment reply() {
        return reply;
    }

    public long replyOffset() {
        return replyOffset;
    }

    /** Returns the maximum length of the answer, in bytes. */
    public long replyLength() {
        return replyLength;
    }

    /** Returns whether it must take effect after all earlier verbs on its connection. */
    public boolean fenced() {
        return fenced;
    }

    /** Returns its effect; meaningful once the round was awaited or failed. */
    public Effect effect() {
        return effect;
    }

    /** Returns why the memory side refused it; null unless it did. */
    public Refusal refusal() {
        return refusal;
    }

    /** For fabrics: records that it took effect. This is also the default, unless its round fails. */
    public void done() {
        if (effect != Effect.DONE) effect = Effect.DONE;
    }

    /** Resets the fields that few verbs set. */
    void reset() {
        effect = Effect.DONE;
        refusal = null;
        fenced = false;
    }

    /** For fabrics: records its effect when its round failed. */
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
