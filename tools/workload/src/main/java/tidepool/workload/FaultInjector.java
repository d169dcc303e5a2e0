package tidepool.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import tidepool.base.Randomness;
import tidepool.fabric.Fabric;
import tidepool.spi.PoolAccess;
import tidepool.workload.proxy.Direction;
import tidepool.workload.proxy.FaultProxy;
import tidepool.workload.proxy.HeldFrame;
import tidepool.workload.proxy.ProxiedFrame;
import tidepool.workload.site.TcpSite;

/**
 * Injects faults between one worker and the memory nodes, one at a time and each kind in turn. Waits until each fault
 * is over: the worker commits again, and the others have repaired its locks and logs.
 */
final class FaultInjector {
    private static final long MAX_NANOS = 60_000_000_000L;
    private static final long POLL_MILLIS = 5;

    /** A trip within a data centre takes a hundredth of this. */
    private static final Duration SLOW = Duration.ofMillis(5);

    /** A worker that continues after a fault shows it by this number of commits. */
    private static final int SOME_COMMITS = 5;

    private final WorkerSite workerSite;
    private final Fabric fabric;
    private final Randomness random;
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    private final Map<String, Integer> flights = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private final Map<Integer, RecoveryTimes.Death> deaths = new TreeMap<>();
    private int turn;

    FaultInjector(WorkerSite workerSite, Randomness random) {
        this.workerSite = workerSite;
        this.fabric = PoolAccess.fabric(workerSite.pool());
        this.random = random;
    }

    /** Injects the next fault and waits until it is over. Returns false if the worker did not survive it. */
    boolean survives(WorkerProcess worker) throws InterruptedException {
        Fault fault = Fault.values()[turn++ % Fault.values().length];
        return survives(fault, worker);
    }

    /** Injects the given fault. */
    boolean survives(Fault fault, WorkerProcess worker) throws InterruptedException {
        counts.merge(fault, 1, Integer::sum);
        boolean lives = true;
        switch (fault) {
            case STALL -> stall(worker);
            case FLYING_WRITE -> lives = flyingWrite(worker);
            case CUT -> proxies(worker).forEach(FaultProxy::cut);
            case HALF_CLOSED -> {
                Direction direction = random.pick(List.of(Direction.values()));
                proxies(worker).forEach(proxy -> proxy.halfClose(direction));
            }
            case BLACK_HOLE -> blackHole(worker);
            case ONE_NODE -> oneNode(worker);
            case SLOW_LINK -> slowLink(worker);
        }
        if (lives) awaitWork(fault + ": worker " + worker.options().number() + " does not go on", worker);
        return lives;
    }

    private List<FaultProxy> proxies(WorkerProcess worker) {
        return ((TcpSite) workerSite.site()).proxies(worker.options().number());
    }

    private void stall(WorkerProcess worker) throws InterruptedException {
        int session = worker.session();
        worker.stall();
        awaitTakeover(Fault.STALL, worker, session);
        worker.goOn();
        await(Fault.STALL + ": worker did not join anew", () -> worker.session() != session);
        // A worker that was only slow must log the fate of its session.
        if (!worker.complaints().contains("session " + session + " is replaced: "))
            problems.add("a worker that stood still was not told what became of session " + session);
    }

    /** Lets a held frame arrive after another worker has taken over the session's locks and committed on them. */
    private boolean flyingWrite(WorkerProcess worker) throws InterruptedException {
        boolean dies = random.nextBoolean();
        int session = worker.session();
        HeldFrame held = random.pick(proxies(worker)).hold(ProxiedFrame::changesMemory);
        held.awaitCaught();
        if (dies) {
            long killed = System.nanoTime();
            deaths.put(session, new RecoveryTimes.Death(killed, workerSite.kill(worker)));
        } else {
            worker.stall();
        }
        awaitTakeover(Fault.FLYING_WRITE, worker, session);
        WorkerProcess other = other(worker);
        awaitWork("nobody goes on past session " + session, other);
        HeldFrame.Fate fate = held.release();
        flights.merge(fate == HeldFrame.Fate.SENT ? "sent to a node" : "cut off", 1, Integer::sum);
        if (held.isAnswered()) problems.add("a frame of session " + session + " was answered after its takeover");
        if (!dies) {
            worker.goOn();
            await("the stalled worker did not join anew", () -> worker.session() != session);
        } else {
            worker.bury();
            ((TcpSite) workerSite.site()).dropProxies(worker.options().number());
        }
        return !dies;
    }

    private WorkerProcess other(WorkerProcess worker) {
        for (WorkerProcess candidate : workerSite.workers())
            if (candidate != worker && candidate.isReady() && candidate.isAlive()) return candidate;
        throw new IllegalStateException("nobody survives");
    }

    private void blackHole(WorkerProcess worker) throws InterruptedException {
        int session = worker.session();
        Direction[] lost =
                random.chance(1, 3) ? Direction.values() : new Direction[] {random.pick(List.of(Direction.values()))};
        proxies(worker).forEach(proxy -> proxy.blackHole(lost));
        // A node still hears a worker that receives nothing. The worker gives up by itself.
        if (lost[0] == Direction.TO_NODE) awaitTakeover(Fault.BLACK_HOLE, worker, session);
        else TimeUnit.NANOSECONDS.sleep(2 * TcpSite.Nodes.PROXIED.lease().toNanos());
        proxies(worker).forEach(FaultProxy::heal);
        await(Fault.BLACK_HOLE + ": worker did not join anew", () -> worker.session() != session);
    }

    private void oneNode(WorkerProcess worker) throws InterruptedException {
        int session = worker.session();
        FaultProxy proxy = random.pick(proxies(worker));
        proxy.cutOff();
        TimeUnit.NANOSECONDS.sleep(TcpSite.Nodes.PROXIED.lease().toNanos());
        proxy.heal();
        await(Fault.ONE_NODE + ": worker did not join anew", () -> worker.session() != session);
    }

    /** Delays a link. The worker continues meanwhile, in its session unless the machine is slow as well. */
    private void slowLink(WorkerProcess worker) throws InterruptedException {
        Direction direction = random.pick(List.of(Direction.values()));
        proxies(worker).forEach(proxy -> proxy.delay(direction, SLOW));
        awaitWork(Fault.SLOW_LINK + ": worker does not work", worker);
        proxies(worker).forEach(FaultProxy::heal);
    }

    /**
     * Waits until node 0, which forgets last, does not know the session any more: it was revoked, repaired and
     * forgotten. Does not wait for a session that its own process had revoked before the fault, because that was
     * already being replaced.
     */
    private void awaitTakeover(Fault fault, WorkerProcess worker, int session) throws InterruptedException {
        boolean ownDoing = fabric.control(0).isRevoked(session)
                && worker.complaints().contains("session " + session + " is replaced: ");
        if (!ownDoing) await(fault + ": nobody takes over from session " + session, () -> !isListed(session));
    }

    private boolean isListed(int session) {
        return Arrays.stream(fabric.control(0).sessions()).anyMatch(listed -> listed == session);
    }

    /** Waits for commits after the fault. The next report may be older than the fault; the second one is not. */
    private void awaitWork(String trouble, WorkerProcess worker) throws InterruptedException {
        int told = worker.reports();
        await(trouble, () -> worker.reports() >= told + 2);
        long before = worker.commits();
        await(trouble, () -> worker.commits() >= before + SOME_COMMITS);
    }

    private void await(String trouble, BooleanSupplier done) throws InterruptedException {
        long start = System.nanoTime();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - start > MAX_NANOS) {
                problems.add(trouble);
                return;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    Map<Fault, Integer> counts() {
        return counts;
    }

    /** Returns the fates of delayed frames. */
    Map<String, Integer> flights() {
        return flights;
    }

    List<String> problems() {
        return problems;
    }

    /** Returns the deaths of killed workers, by session. */
    Map<Integer, RecoveryTimes.Death> deaths() {
        return deaths;
    }
}
