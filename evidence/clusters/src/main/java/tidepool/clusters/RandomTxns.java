package tidepool.clusters;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.ConflictException;
import tidepool.Rollback;
import tidepool.Tidepool;
import tidepool.UnknownOutcomeException;
import tidepool.base.Randomness;
import tidepool.sim.Simulation;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/**
 * Random transactions on a few contended keys: appends, reads, inserts, deletes, at once or step by step, and some that
 * are rolled back. Everything read and changed goes into the history.
 */
public final class RandomTxns implements StrandTxns {
    /** Operations on a key. */
    public enum Kind {
        READ,
        UPDATE,
        INSERT,
        PUT,
        DELETE
    }

    /**
     * An operation of a transaction.
     *
     * @param last whether the accesses declared so far are executed before the next step
     */
    public record Op(Kind kind, long key, boolean last) {}

    private static final int FIRST_OTHER = 1000;

    /** Rows that a transaction of the loader inserts. */
    private static final int LOADED_AT_ONCE = 6;

    private final ClusterOptions options;
    private final ClusterHistory history;
    private final ClusterReport report;
    private final Tidepool pool;
    private final TableLayout table;
    private final Randomness random;
    private final String who;

    public RandomTxns(
            ClusterOptions options,
            ClusterHistory history,
            ClusterReport report,
            Tidepool pool,
            TableLayout table,
            Randomness random,
            String who) {
        this.options = options;
        this.history = history;
        this.report = report;
        this.pool = pool;
        this.table = table;
        this.random = random;
        this.who = who;
    }

    // ---- workloads

    /** Inserts the keys that always exist, and in a table that is to grow some of the others, several at a time. */
    @Override
    public void load() {
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < options.lists(); i++) ops.add(new Op(Kind.INSERT, i, i == options.lists() - 1));
        run(ops, false);
        if (!options.workload().grows()) return;
        for (int i = 0; i < options.others() / 3; i += LOADED_AT_ONCE) {
            List<Op> some = new ArrayList<>();
            for (int j = i; j < i + LOADED_AT_ONCE; j++)
                some.add(new Op(Kind.INSERT, FIRST_OTHER + j, j + 1 == i + LOADED_AT_ONCE));
            run(some, false);
        }
    }

    @Override
    public void runOne() {
        run(draw(), random.chance(1, 12));
    }

    /** Runs one transaction for every key: a surviving client must be able to read and to write everything. */
    @Override
    public void sweep() {
        for (int i = 0; i < options.lists(); i++) run(List.of(new Op(Kind.UPDATE, i, true)), false);
        for (int i = 0; i < options.others(); i++) run(List.of(new Op(Kind.PUT, FIRST_OTHER + i, true)), false);
        List<Op> all = new ArrayList<>();
        for (int i = 0; i < options.lists(); i++) all.add(new Op(Kind.READ, i, false));
        for (int i = 0; i < options.others(); i++) all.add(new Op(Kind.READ, FIRST_OTHER + i, false));
        run(all, false);
    }

    private List<Op> draw() {
        if (random.chance(1, 5)) return drawSkew();
        List<Op> ops = new ArrayList<>();
        int shape = random.nextInt(10);
        int count = shape < 3 ? 1 : 1 + random.nextInt(4);
        boolean interactive = random.chance(1, 3);
        boolean readOnly = random.chance(1, 4);
        for (int i = 0; i < count; i++) {
            boolean list = random.chance(1, 2);
            long key = list ? random.nextInt(options.lists()) : FIRST_OTHER + random.nextInt(options.others());
            Kind kind = readOnly || random.chance(1, 4) ? Kind.READ : list ? Kind.UPDATE : drawOther();
            if (ops.stream().anyMatch(s -> s.key() == key)) continue;
            ops.add(new Op(kind, key, interactive));
        }
        // Read first, change later: the change is an access of its own.
        Op first = ops.getFirst();
        if (first.kind() == Kind.READ && interactive && !readOnly && random.chance(1, 2))
            ops.add(new Op(first.key() < FIRST_OTHER ? Kind.UPDATE : drawOther(), first.key(), true));
        return ops;
    }

    /**
     * Draws a transaction that reads one list and appends to another; others read and append in the opposite direction.
     */
    private List<Op> drawSkew() {
        int read = random.nextInt(options.lists());
        int written = (read + 1 + random.nextInt(options.lists() - 1)) % options.lists();
        boolean interactive = random.nextBoolean();
        return List.of(new Op(Kind.READ, read, interactive), new Op(Kind.UPDATE, written, interactive));
    }

    private Kind drawOther() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> Kind.INSERT;
            case 2, 3 -> Kind.DELETE;
            case 4 -> Kind.PUT;
            default -> Kind.UPDATE;
        };
    }

    // ---- one transaction

    public void run(List<Op> ops, boolean givesUp) {
        RecordedAttempt[] last = new RecordedAttempt[1];
        ClusterFailure[] wrong = new ClusterFailure[1];
        run(ops, givesUp, last, wrong);
        if (wrong[0] != null) throw wrong[0];
    }

    /**
     * @param wrong what an attempt saw and must not have seen, also if that attempt was not valid and is tried again
     */
    private void run(List<Op> ops, boolean givesUp, RecordedAttempt[] last, ClusterFailure[] wrong) {
        try {
            pool.transact(tx -> {
                if (last[0] != null) history.failed(last[0]);
                last[0] = history.invoke(tx.id(), who);
                try {
                    attempt(tx.raw(), ops, last[0]);
                } catch (ClusterFailure e) {
                    wrong[0] = e;
                    throw e;
                }
                if (givesUp) throw new Rollback("as planned");
            });
            history.ok(last[0]);
            report.add("committed", 1);
        } catch (Rollback e) {
            history.failed(last[0]);
            report.add("rolled back", 1);
        } catch (ConflictException e) {
            throw new ClusterFailure("no progress: " + e.getMessage() + " in " + ops, e);
        } catch (UnknownOutcomeException e) {
            report.add("outcome unknown", 1);
        } catch (StoreException e) {
            boolean owned = e.reason() == StoreException.Reason.OWNED;
            if (e.reason() != StoreException.Reason.FULL && !owned) throw e;
            if (last[0] != null) history.failed(last[0]);
            report.add(owned ? "owned elsewhere" : last[0] != null ? "table full" : "no coordinator left", 1);
        }
    }

    /** Returns early if the attempt was aborted: the pool learns it at commit. */
    private void attempt(Txn txn, List<Op> ops, RecordedAttempt attempt) {
        int[] accesses = new int[ops.size()];
        int done = 0;
        for (int i = 0; i < accesses.length; i++) {
            Op op = ops.get(i);
            accesses[i] = declare(txn, op);
            if (!op.last() && i + 1 < accesses.length) continue;
            if (!txn.execute()) return;
            for (; done <= i; done++) look(txn, ops.get(done), accesses[done], attempt);
            if (random.chance(1, 4)) Simulation.work(random.nextInt(5_000));
        }
    }

    private int declare(Txn txn, Op op) {
        return switch (op.kind()) {
            case READ -> txn.read(table, op.key());
            case UPDATE -> txn.update(table, op.key());
            case INSERT -> txn.insert(table, op.key());
            case PUT -> txn.put(table, op.key());
            case DELETE -> txn.delete(table, op.key());
        };
    }

    private void look(Txn txn, Op op, int access, RecordedAttempt attempt) {
        long place = VersionedPlace.ofKey(op.key());
        MemorySegment memory = txn.memory();
        RecordedAttempt.Change own = attempt.changeOf(place);
        if (own != null) {
            lookAgain(txn, op, access, attempt, own);
            return;
        }
        if (!txn.writes(access)) {
            if (txn.found(access)) {
                attempt.seen.add(
                        new RecordedAttempt.Seen(place, op.key(), checked(memory, txn.value(access), place, attempt)));
            } else {
                attempt.seen.add(new RecordedAttempt.Seen(bucketOf(txn, access), op.key(), txn.version(access)));
            }
            return;
        }
        long replaced = txn.found(access) ? checked(memory, txn.value(access), place, attempt) : 0;
        boolean deletes = op.kind() == Kind.DELETE;
        long bucket = deletes || !txn.found(access) ? changeBucket(txn, access, attempt) : 0;
        if (!deletes) Content.append(memory, txn.value(access), attempt.id);
        long content = deletes ? 0 : Content.sum(memory, txn.value(access));
        attempt.changes.add(new RecordedAttempt.Change(place, replaced, content, !deletes, bucket));
    }

    /**
     * Checks a key that this attempt has changed before. The attempt sees that change, and a further change replaces
     * it.
     */
    private void lookAgain(Txn txn, Op op, int access, RecordedAttempt attempt, RecordedAttempt.Change own) {
        MemorySegment memory = txn.memory();
        boolean same = txn.found(access) == own.present()
                && (!own.present() || Content.sum(memory, txn.value(access)) == own.content());
        if (!same)
            throw new ClusterFailure(
                    VersionedPlace.text(own.place()) + " does not show " + attempt + " its own " + own);
        if (!txn.writes(access)) return;
        boolean deletes = op.kind() == Kind.DELETE;
        long bucket = deletes || !own.present() ? changeBucket(txn, access, attempt) : own.bucket();
        if (!deletes) Content.append(memory, txn.value(access), attempt.id);
        long content = deletes ? 0 : Content.sum(memory, txn.value(access));
        attempt.changes.remove(own);
        attempt.changes.add(new RecordedAttempt.Change(own.place(), own.replaced(), content, !deletes, bucket));
    }

    /** Returns the writer of a value, after checking that the value is exactly what that attempt wrote. */
    private long checked(MemorySegment memory, long at, long place, RecordedAttempt reader) {
        long writer = Content.writer(memory, at);
        RecordedAttempt by = history.find(writer);
        RecordedAttempt.Change change = by == null ? null : by.changeOf(place);
        if (change == null || change.content() != Content.sum(memory, at))
            throw new ClusterFailure(VersionedPlace.text(place) + " shows " + reader + " what " + by
                    + " did not write: changes " + (by == null ? "" : by.changes) + " reader saw " + reader.seen
                    + " changed " + reader.changes);
        if (by.end == RecordedAttempt.End.FAILED)
            throw new ClusterFailure(VersionedPlace.text(place) + " shows " + reader + " the aborted " + by);
        return writer;
    }

    /** Records a change of the bucket of an access. Returns its place. */
    private static long changeBucket(Txn txn, int access, RecordedAttempt attempt) {
        long place = bucketOf(txn, access);
        if (attempt.changeOf(place) == null)
            attempt.changes.add(new RecordedAttempt.Change(place, txn.bucketVersion(access), 0, true, 0));
        return place;
    }

    private static long bucketOf(Txn txn, int access) {
        return VersionedPlace.ofBucket(txn.bucket(access));
    }
}
