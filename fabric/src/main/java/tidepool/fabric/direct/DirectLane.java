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
import tidepool.fabric.VerbKind;
import tidepool.memory.Access;
import tidepool.memory.Atomics;
import tidepool.memory.ChainWork;
import tidepool.memory.Handlers;

/**
 * Carries out rounds in the calling thread. A round is over when {@code post} returns, so {@code await} never waits.
 *
 * <p><b>Revocation.</b> {@link #busy} is set while a round runs. It is a plain store, which alone could be seen too late;
 * whoever revokes a session of this process pays for the order instead, see {@link ProcessBarrier}.
 */
final class DirectLane extends Lane {
    /** On x86 an atomic instruction is a full fence; elsewhere a later load may pass its store. */
    private static final boolean ATOMICS_ARE_FENCES = "amd64".equals(System.getProperty("os.arch"));

    private static final VarHandle BUSY;

    static {
        try {
            BUSY = MethodHandles.lookup().findVarHandle(DirectLane.class, "busy", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Beside the codes of {@link Access}: a FLUSH that the file system could not carry out. */
    private static final int FORCE_FAILED = -1;

    private final DirectFabric fabric;
    private final boolean durable;
    private final ChainWork chainWork = new ChainWork();

    @SuppressWarnings("unused") // through BUSY
    private int busy;

    private boolean closed;
    private String forceFailure;

    /** Whether stores were made since the last full fence. */
    private boolean storesPending;

    DirectLane(DirectSession session) {
        super(session);
        this.fabric = session.directFabric();
        this.durable = fabric.durability() != Durability.NONE;
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
            DirectLink checked = null;
            DirectRegion live = null;
            int count = round.count();
            for (int i = 0; i < count; i++) {
                Verb verb = round.verb(i);
                DirectLink link = (DirectLink) verb.link();
                int access = Access.GRANTED;
                if (link != checked) {
                    if (closed || link.isBroken()) {
                        verb.failed(Effect.NOT_DONE, null);
                        failed = true;
                        continue;
                    }
                    access = link.access();
                    checked = link;
                    live = null;
                }
                DirectRegion region = (DirectRegion) verb.region();
                if (region != live && region != null && access == Access.GRANTED) {
                    access = link.access(region);
                    live = region;
                }
                if (access == Access.GRANTED) access = carryOut(verb, link, region);
                if (access == Access.GRANTED) {
                    verb.done();
                } else {
                    if (access == FORCE_FAILED) verb.failed(Effect.UNKNOWN, null);
                    else verb.failed(Effect.NOT_DONE, Refusal.of(access));
                    link.breakDown();
                    checked = null;
                    failed = true;
                }
            }
            if (storesPending) fullFence();
        } finally {
            BUSY.setRelease(this, 0);
        }
        if (failed) fail(round);
    }

    @Override
    protected void post(Round first, Round next) {
        post(first);
        if (first.hasFailed()) next.neverSent(first);
        else post(next);
    }

    private int carryOut(Verb verb, DirectLink link, DirectRegion region) {
        switch (verb.kind()) {
            case FLUSH -> {
                return durable ? force(link) : Access.GRANTED;
            }
            case CALL -> {
                return call(verb, link);
            }
            case CHAIN -> {
                return chain(verb, link, region);
            }
            default -> {
                return touch(verb, region);
            }
        }
    }

    /** The kernel reports a failed write-back once and then calls the pages clean, so asking again would lie. */
    private int force(DirectLink link) {
        try {
            link.force();
            return Access.GRANTED;
        } catch (UncheckedIOException e) {
            forceFailure = String.valueOf(e.getCause().getMessage());
            return FORCE_FAILED;
        }
    }

    private int touch(Verb verb, DirectRegion region) {
        long offset = verb.offset();
        int access = region.opened.range(offset, verb.length());
        if (access != Access.GRANTED) return access;

        MemorySegment memory = region.data;
        MemorySegment local = verb.local();
        // Atomics look too, and one that then changes nothing is a mere load: it must not pass the stores before it.
        if (storesPending && verb.kind() != VerbKind.WRITE) fullFence();
        switch (verb.kind()) {
            case READ -> {
                DirectVerbs.readAcquire(memory, offset, verb.length(), local, verb.localOffset());
                return Access.GRANTED;
            }
            case WRITE -> {
                if (local == null) Words.release(memory, offset, verb.operand());
                else DirectVerbs.writeRelease(memory, offset, verb.length(), local, verb.localOffset());
            }
            case CAS -> found(verb, Words.compareAndSwap(memory, offset, verb.operand(), verb.desired()));
            case FAA -> found(verb, Words.fetchAndAdd(memory, offset, verb.operand()));
            case MASKED_CAS ->
                found(
                        verb,
                        Atomics.maskedCompareAndSwap(
                                memory, offset, verb.operand(), verb.compareMask(), verb.desired(), verb.swapMask()));
            case MASKED_FAA ->
                found(verb, Atomics.maskedFetchAndAdd(memory, offset, verb.operand(), verb.compareMask()));
            case FLUSH, CALL, CHAIN -> throw new IllegalStateException("does not touch a range");
        }
        storesPending = verb.kind() == VerbKind.WRITE || !ATOMICS_ARE_FENCES;
        if (durable) region.dirty(offset, verb.length());
        return Access.GRANTED;
    }

    private static void found(Verb verb, long word) {
        if (verb.local() != null) Words.plain(verb.local(), verb.localOffset(), word);
    }

    private int call(Verb verb, DirectLink link) {
        Handlers handlers = link.memory.handlers();
        Handlers.Handler handler = handlers.areOn() ? handlers.get((int) verb.operand()) : null;
        if (handler == null) return Access.HANDLER;
        if (storesPending) fullFence();
        MemorySegment request =
                verb.local().asSlice(verb.localOffset(), verb.length()).asReadOnly();
        MemorySegment reply = verb.reply().asSlice(verb.replyOffset(), verb.replyLength());
        handler.handle(link.memory, session().number(), request, reply);
        storesPending = true;
        if (durable) link.markNodeDirty();
        return Access.GRANTED;
    }

    private int chain(Verb verb, DirectLink link, DirectRegion region) {
        if (storesPending) fullFence();
        int access = chainWork.begin(link.memory, link, region.opened, verb.offset());
        if (access != Access.GRANTED) return access;
        while (chainWork.step()) {}
        chainWork.finish();
        storesPending = true;
        if (durable) link.markAllDirty();
        return Access.GRANTED;
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
        } else if (closed) round.fail(Reason.CLOSED, "the lane is closed");
        else round.fail(Reason.DISCONNECTED, "the link is broken");
    }

    @Override
    protected void await(Round round) {
        // The verbs were carried out by post.
    }

    @Override
    protected boolean isComplete(Round round) {
        return true;
    }

    /** Whether a round of this lane is running; exact only behind a {@link ProcessBarrier}. */
    boolean isBusy() {
        return (int) BUSY.getAcquire(this) != 0;
    }

    @Override
    public void close() {
        closed = true;
    }
}
