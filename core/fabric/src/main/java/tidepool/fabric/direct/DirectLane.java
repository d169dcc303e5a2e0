package tidepool.fabric.direct;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Refusal;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbGroup;
import tidepool.fabric.VerbKind;
import tidepool.memory.AccessCode;
import tidepool.memory.Atomics;
import tidepool.memory.ChainedWorkExecutor;
import tidepool.memory.Handlers;
import tidepool.memory.WriteListener;

/**
 * A lane that executes rounds in the calling thread. A round is over when {@code post} returns, so {@code await} never
 * waits.
 *
 * <p><b>Revocation.</b> {@link #busy} is set while a round runs. It is a plain store, which alone could be seen too
 * late. The revoker of a session of this process pays for the order instead, see {@link ProcessBarrier}.
 */
final class DirectLane extends Lane {
    /**
     * On x86 an atomic instruction is a full fence, whether it changes the word or not. Elsewhere a later load may pass
     * its store, and an atomic that changes nothing may pass earlier stores.
     */
    private static final boolean ATOMICS_ARE_FENCES = "amd64".equals(System.getProperty("os.arch"));

    private static final VarHandle BUSY;

    static {
        try {
            BUSY = MethodHandles.lookup().findVarHandle(DirectLane.class, "busy", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A further code next to those of {@link AccessCode}: a FLUSH that the file system could not execute. */
    private static final int FORCE_FAILED = -1;

    /** A further code next to those of {@link AccessCode}: the link was broken before, or the lane is closed. */
    private static final int NOT_SENT = -2;

    /**
     * A further code next to those of {@link AccessCode}: a handler threw an exception and may have changed something.
     */
    private static final int HANDLER_FAILED = -3;

    private static final int READ = VerbKind.READ.ordinal();
    private static final int WRITE = VerbKind.WRITE.ordinal();
    private static final int CAS = VerbKind.CAS.ordinal();
    private static final int FAA = VerbKind.FAA.ordinal();

    /** Kinds up to this one access one range of their region. */
    private static final int LAST_OF_ONE_RANGE = VerbKind.MASKED_FAA.ordinal();

    /** Bits of an offset or a length that is negative or no multiple of a word. */
    private static final long UNEVEN = Long.MIN_VALUE | (Words.BYTES - 1);

    private final DirectFabric fabric;
    private final boolean durable;
    private final ChainedWorkExecutor chainedWork = new ChainedWorkExecutor();

    @SuppressWarnings("unused") // through BUSY
    private int busy;

    private boolean closed;
    private String forceFailure;
    private String handlerFailure;

    /** The link whose session and epoch were checked in the running round. */
    private DirectLink checked;

    /** Whether stores were made since the last full fence. */
    private boolean storesPending;

    DirectLane(DirectSession session) {
        super(session);
        this.fabric = session.directFabric();
        this.durable = fabric.flushMode() != FlushMode.NONE;
    }

    @Override
    protected Link newLink(int node) {
        refuseIfClosed();
        return fabric.whileOpen(() -> new DirectLink(this, node, fabric.memoryNode(node)));
    }

    DirectFabric fabric() {
        return fabric;
    }

    void refuseIfClosed() {
        if (closed) throw new FabricException(Reason.CLOSED, Effect.NOT_DONE, "the lane is closed");
    }

    @Override
    protected void post(Round round) {
        BUSY.setOpaque(this, 1);
        boolean failed = false;
        try {
            DirectRegion region = null;
            MemorySegment memory = null;
            long bytes = 0;
            checked = null;
            int count = round.count();
            for (int i = 0; i < count; i++) {
                Verb verb = round.verb(i);
                int access = AccessCode.GRANTED;
                int shape = verb.shape();
                // Consecutive verbs mostly access one region, so the checks of the whole region are made once.
                if (verb.region() != region || region == null) {
                    access = enter(verb);
                    region = (DirectRegion) verb.region();
                    if (region != null) {
                        memory = region.data;
                        bytes = region.dataBytes;
                    }
                }
                if (shape > VerbGroup.ALONE) {
                    if (access == AccessCode.GRANTED && executeTogether(shape, round, i, region, memory, bytes)) {
                        i += VerbGroup.followers(shape);
                        continue;
                    }
                    round.spell(i);
                }
                if (access == AccessCode.GRANTED) access = execute(verb, region, memory, bytes);
                if (access == AccessCode.GRANTED) continue;
                refuse(verb, access);
                region = null;
                failed = true;
            }
            if (storesPending) fullFence();
        } finally {
            BUSY.setRelease(this, 0);
        }
        if (failed) fail(round);
    }

    /** Checks whether a verb may enter: its link is not broken, and its session, epoch and region are valid. */
    private int enter(Verb verb) {
        DirectLink link = (DirectLink) verb.link();
        if (link != checked) {
            if (closed || link.isBroken()) return NOT_SENT;
            int access = link.access();
            if (access != AccessCode.GRANTED) return access;
            checked = link;
        }
        DirectRegion region = (DirectRegion) verb.region();
        return region == null ? AccessCode.GRANTED : link.access(region);
    }

    private void refuse(Verb verb, int access) {
        checked = null;
        if (access == NOT_SENT) {
            verb.failed(Effect.NOT_DONE, null);
            return;
        }
        if (access == FORCE_FAILED || access == HANDLER_FAILED) verb.failed(Effect.UNKNOWN, null);
        else verb.failed(Effect.NOT_DONE, Refusal.of(access));
        ((DirectLink) verb.link()).breakDown();
    }

    @Override
    protected void post(Round first, Round next) {
        post(first);
        if (first.hasFailed()) next.neverSent(first);
        else post(next);
    }

    private int execute(Verb verb, DirectRegion region, MemorySegment memory, long bytes) {
        int code = verb.code();
        if (code > LAST_OF_ONE_RANGE) return executeOther(verb, region);
        long offset = verb.offset();
        long length = verb.length();
        // The checks of NodeRegion.range in few branches; if one fails, that method gives the reason.
        if (((offset | length) & UNEVEN) != 0 || length == 0 || offset > bytes - length)
            return region.opened.range(offset, length);

        if (code == WRITE) {
            if (verb.hasLocal()) DirectVerbs.writeRelease(memory, offset, length, verb.local(), verb.localOffset());
            else Words.release(memory, offset, verb.operand());
            storesPending = true;
        } else {
            // Atomics read too, and must not pass earlier stores. A CAS that changes nothing is only a load, and a
            // masked atomic that changes nothing is one on every processor.
            boolean isFence = ATOMICS_ARE_FENCES && (code == CAS || code == FAA);
            if (storesPending && !isFence) fullFence();
            if (code == READ) {
                DirectVerbs.readAcquire(memory, offset, length, verb.local(), verb.localOffset());
                return AccessCode.GRANTED;
            }
            long found = code == CAS
                    ? Words.compareAndSwap(memory, offset, verb.operand(), verb.desired())
                    : otherAtomic(verb, memory, offset);
            if (verb.hasLocal()) Words.plain(verb.local(), verb.localOffset(), found);
            storesPending = !ATOMICS_ARE_FENCES;
        }
        if (durable) region.dirty(offset, length);
        return AccessCode.GRANTED;
    }

    /**
     * Executes the verbs of a group by the loads, stores and fences of the single verbs, in their order. Returns false
     * if the range is wrong. Then nothing was done, and the caller executes the verbs one by one to find the wrong one.
     */
    private boolean executeTogether(
            int shape, Round round, int i, DirectRegion region, MemorySegment memory, long bytes) {
        Verb verb = round.verb(i);
        long offset = verb.offset();
        if (shape == VerbGroup.SWAP_AND_READ) return swapAndRead(verb, round.verb(i + 1), region, memory, bytes);
        long length = verb.length();
        // The widest group has two words in addition to its length.
        if (((offset | length) & UNEVEN) != 0 || length == 0 || offset > bytes - length - 2 * Words.BYTES) return false;

        if (shape == VerbGroup.MARK_AND_WRITE) {
            Words.release(memory, offset, verb.operand());
            DirectVerbs.writeRelease(memory, offset + Words.BYTES, length, verb.local(), verb.localOffset());
            storesPending = true;
            if (durable) region.dirty(offset, Words.BYTES + length);
        } else if (shape == VerbGroup.WRITE_PAIR) {
            Words.release(memory, offset + Words.BYTES, verb.operand());
            Words.release(memory, offset, verb.desired());
            storesPending = true;
            if (durable) region.dirty(offset, 2 * Words.BYTES);
        } else {
            if (storesPending) fullFence();
            MemorySegment landing = verb.local();
            long at = verb.localOffset();
            if (shape == VerbGroup.BODY_THEN_PAIR)
                DirectVerbs.readAcquire(memory, offset + 2 * Words.BYTES, length, landing, at + 2 * Words.BYTES);
            Words.plain(landing, at, Words.acquire(memory, offset));
            Words.plain(landing, at + Words.BYTES, Words.acquire(memory, offset + Words.BYTES));
        }
        return true;
    }

    private boolean swapAndRead(Verb swap, Verb read, DirectRegion region, MemorySegment memory, long bytes) {
        long offset = swap.offset();
        long length = read.length();
        if (((offset | length) & UNEVEN) != 0 || length == 0 || offset > bytes - length - Words.BYTES) return false;
        if (storesPending && !ATOMICS_ARE_FENCES) fullFence();
        long found = Words.compareAndSwap(memory, offset, swap.operand(), swap.desired());
        if (swap.hasLocal()) Words.plain(swap.local(), swap.localOffset(), found);
        if (durable) region.dirty(offset, Words.BYTES);
        if (ATOMICS_ARE_FENCES) storesPending = false;
        else fullFence();
        DirectVerbs.readAcquire(memory, offset + Words.BYTES, length, read.local(), read.localOffset());
        return true;
    }

    private static long otherAtomic(Verb verb, MemorySegment memory, long offset) {
        return switch (verb.kind()) {
            case FAA -> Words.fetchAndAdd(memory, offset, verb.operand());
            case MASKED_CAS ->
                Atomics.maskedCompareAndSwap(
                        memory, offset, verb.operand(), verb.compareMask(), verb.desired(), verb.swapMask());
            default -> Atomics.maskedFetchAndAdd(memory, offset, verb.operand(), verb.compareMask());
        };
    }

    private int executeOther(Verb verb, DirectRegion region) {
        DirectLink link = (DirectLink) verb.link();
        return switch (verb.kind()) {
            case FLUSH -> durable ? force(link) : AccessCode.GRANTED;
            case CALL -> call(verb, link);
            default -> chain(verb, link, region);
        };
    }

    /**
     * Forces written data. A failure breaks the link: the kernel reports a failed write-back once and then calls the
     * pages clean, so a second try would wrongly succeed.
     */
    private int force(DirectLink link) {
        try {
            link.force();
            return AccessCode.GRANTED;
        } catch (UncheckedIOException e) {
            forceFailure = String.valueOf(e.getCause().getMessage());
            return FORCE_FAILED;
        }
    }

    private int call(Verb verb, DirectLink link) {
        Handlers handlers = link.memory.handlers();
        Handlers.Handler handler = handlers.areOn() ? handlers.get((int) verb.operand()) : null;
        if (handler == null) return AccessCode.HANDLER;
        if (storesPending) fullFence();
        MemorySegment request =
                verb.local().asSlice(verb.localOffset(), verb.length()).asReadOnly();
        MemorySegment reply = verb.reply().asSlice(verb.replyOffset(), verb.replyLength());
        int access = AccessCode.GRANTED;
        try {
            handler.handle(link.memory, session().number(), request, reply, WriteListener.UNTOLD);
        } catch (RuntimeException e) {
            handlerFailure = String.valueOf(e);
            access = HANDLER_FAILED;
        }
        storesPending = true;
        if (durable) link.markNodeDirty();
        return access;
    }

    private int chain(Verb verb, DirectLink link, DirectRegion region) {
        if (storesPending) fullFence();
        int access = chainedWork.begin(link.memory, link, region.opened, verb.offset());
        if (access != AccessCode.GRANTED) return access;
        while (chainedWork.step()) {}
        chainedWork.finish();
        storesPending = true;
        if (durable) link.markAllDirty();
        return AccessCode.GRANTED;
    }

    private void fullFence() {
        VarHandle.fullFence();
        storesPending = false;
    }

    private void fail(Round round) {
        for (int i = 0; i < round.count(); i++) {
            if (round.verb(i).refusal() == null || round.verb(i).effect() == Effect.DONE) continue;
            round.fail(Reason.REFUSED, "verb refused");
            return;
        }
        if (forceFailure != null) {
            round.fail(Reason.UNAVAILABLE, "writes could not be made persistent (" + forceFailure + ")");
            forceFailure = null;
        } else if (handlerFailure != null) {
            round.fail(Reason.UNAVAILABLE, "a handler failed (" + handlerFailure + ")");
            handlerFailure = null;
        } else if (closed) round.fail(Reason.CLOSED, "the lane is closed");
        else round.fail(Reason.DISCONNECTED, "the link is broken");
    }

    @Override
    protected boolean takesGroups() {
        return true;
    }

    @Override
    protected void await(Round round) {
        // The verbs were executed by post.
    }

    @Override
    protected boolean isComplete(Round round) {
        return true;
    }

    /** Returns whether a round of this lane is running; exact only after a {@link ProcessBarrier}. */
    boolean isBusy() {
        return (int) BUSY.getAcquire(this) != 0;
    }

    @Override
    public void close() {
        closed = true;
    }
}
