package tidepool.clusters;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tidepool.Cell;
import tidepool.ConflictException;
import tidepool.Rollback;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.UnknownOutcomeException;
import tidepool.base.Randomness;
import tidepool.clusters.Documents.Document;
import tidepool.clusters.RandomTxns.Kind;
import tidepool.fabric.FabricException;
import tidepool.schema.Attribute;
import tidepool.schema.AttributeType;
import tidepool.schema.SchemaChange;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.StoreException;
import tidepool.txn.Txn;

/**
 * Random transactions on {@link Documents}, by the API on records: reads, updates, inserts, puts and deletes of a few
 * documents at a time. Tables are made for one row and grow. Everything that is read and changed goes into the history.
 * Now and then a transaction writes or reads drafts, or the table of drafts is emptied or altered, which interrupts all
 * others. All strands keep the record of the first layout.
 */
final class DocumentTxns implements StrandTxns {
    private static final int MAX_OPERATIONS = 3;
    private static final int DRAFTS = 12;

    /** One of this number of turns is about drafts. */
    private static final int TURNS_PER_DRAFT = 5;

    /** One of this number of turns about drafts empties their table. */
    private static final int DRAFTS_PER_EMPTYING = 7;

    /** One of this number of the others alters their table. */
    private static final int DRAFTS_PER_CHANGE = 7;

    /** An attribute of drafts that comes, becomes wider, and goes. */
    private static final String PAGES = "pages";

    /** One operation on a document. */
    private record Step(Kind kind, long number) {}

    private final ClusterOptions options;
    private final Documents documents;
    private final ClusterHistory history;
    private final DraftLog drafts;
    private final ClusterReport report;
    private final Tidepool pool;
    private final Table<Document> table;
    private final Table<Document> draftTable;
    private final Randomness random;
    private final String who;

    DocumentTxns(
            ClusterOptions options,
            Documents documents,
            ClusterHistory history,
            DraftLog drafts,
            ClusterReport report,
            Tidepool pool,
            Randomness random,
            String who) {
        this.options = options;
        this.documents = documents;
        this.history = history;
        this.drafts = drafts;
        this.report = report;
        this.pool = pool;
        this.random = random;
        this.who = who;
        table = pool.table(Documents.JUDGED, Document.class, 1);
        draftTable = pool.table(Documents.DRAFTS, Document.class, 1);
    }

    // ---- workloads

    /** Inserts a part of the documents, several at a time. */
    @Override
    public void load() {
        for (int i = 0; i < options.others() / 2; i += MAX_OPERATIONS) {
            List<Step> steps = new ArrayList<>();
            for (int j = 0; j < MAX_OPERATIONS; j++) steps.add(new Step(Kind.INSERT, i + j));
            run(steps, false);
        }
    }

    @Override
    public void runOne() {
        if (!random.chance(1, TURNS_PER_DRAFT)) run(draw(), random.chance(1, 12));
        else if (random.chance(1, DRAFTS_PER_EMPTYING)) emptyDrafts();
        else if (random.chance(1, DRAFTS_PER_CHANGE)) alterDrafts();
        else if (random.chance(1, 2)) writeDraft(random.nextInt(DRAFTS));
        else readDraft(random.nextInt(DRAFTS));
    }

    @Override
    public void sweep() {
        for (int i = 0; i < options.others(); i++) {
            run(List.of(new Step(Kind.READ, i)), false);
            run(List.of(new Step(Kind.PUT, i)), false);
            run(List.of(new Step(Kind.READ, i)), false);
        }
        // A strand that died may have left rows in the former layout.
        for (int i = 0; i < DRAFTS; i++) readDraft(i);
        if (PoolAccess.layout(pool.table(Documents.DRAFTS)).before() != null) {
            report.add("table found between two layouts", 1);
            for (int i = 0; i < DRAFTS; i += 2) writeDraft(i);
            pool.alter(Documents.DRAFTS, new SchemaChange());
        }
        for (int i = 0; i < DRAFTS; i++) {
            readDraft(i);
            writeDraft(i);
            readDraft(i);
        }
    }

    private List<Step> draw() {
        Set<Long> numbers = new LinkedHashSet<>();
        for (int i = 1 + random.nextInt(MAX_OPERATIONS); i > 0; i--)
            numbers.add((long) random.nextInt(options.others()));
        boolean readOnly = random.chance(1, 4);
        List<Step> steps = new ArrayList<>();
        for (long number : numbers) steps.add(new Step(readOnly ? Kind.READ : drawKind(), number));
        return steps;
    }

    private Kind drawKind() {
        return switch (random.nextInt(10)) {
            case 0, 1 -> Kind.READ;
            case 2, 3, 4 -> Kind.UPDATE;
            case 5, 6 -> Kind.INSERT;
            case 7 -> Kind.PUT;
            default -> Kind.DELETE;
        };
    }

    // ---- transactions on documents

    private void run(List<Step> steps, boolean givesUp) {
        RecordedAttempt[] last = new RecordedAttempt[1];
        ClusterFailure[] wrong = new ClusterFailure[1];
        try {
            pool.transact(tx -> {
                if (last[0] != null) history.failed(last[0]);
                last[0] = history.invoke(tx.id(), who);
                try {
                    attempt(tx, steps, last[0]);
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
            throw new ClusterFailure("no progress: " + e.getMessage() + " in " + steps, e);
        } catch (UnknownOutcomeException e) {
            report.add("outcome unknown", 1);
        } catch (StoreException e) {
            refused(e);
            if (last[0] != null) history.failed(last[0]);
        }
        if (wrong[0] != null) throw wrong[0];
    }

    private void refused(StoreException e) {
        boolean owned = e.reason() == StoreException.Reason.OWNED;
        if (e.reason() != StoreException.Reason.FULL && !owned) throw e;
        report.add(owned ? "owned elsewhere" : "table full", 1);
    }

    private void attempt(Transaction tx, List<Step> steps, RecordedAttempt attempt) {
        List<Document> before = new ArrayList<>();
        for (Step step : steps) {
            before.add(settleStep(tx, step, attempt));
            if (random.chance(1, 4)) Simulation.work(random.nextInt(5_000));
        }
        // The versions of buckets are known to the layer below, whose accesses are those of the records.
        Txn txn = tx.raw();
        int[] accesses = new int[steps.size()];
        for (int i = 0; i < accesses.length; i++)
            accesses[i] = txn.read(table.handle(), documents.key(steps.get(i).number()));
        if (!txn.execute()) return; // the pool learns it at commit
        for (int i = 0; i < accesses.length; i++) record(txn, accesses[i], steps.get(i), before.get(i), attempt);
    }

    /** Returns the document that the step has found; null if there was none. */
    private Document settleStep(Transaction tx, Step step, RecordedAttempt attempt) {
        String name = Documents.name(step.number());
        Document made = Documents.of(step.number(), attempt.id);
        if (step.kind() == Kind.UPDATE) {
            Cell<Document> cell = table.update(tx, name);
            if (!cell.isPresent()) return null;
            Document found = checked(cell.get(), step.number(), attempt);
            cell.set(made);
            return found;
        }
        Document found = table.get(tx, name);
        if (found != null) checked(found, step.number(), attempt);
        switch (step.kind()) {
            case INSERT -> {
                if (found == null) table.insert(tx, made);
            }
            case PUT -> table.put(tx, made);
            case DELETE -> table.delete(tx, name);
            default -> {}
        }
        return found;
    }

    /** Checks that a document is exactly what an attempt wrote that has not failed. */
    private Document checked(Document found, long number, RecordedAttempt reader) {
        RecordedAttempt by = history.find(found.writer());
        String what = "document " + number + " shows " + reader + " ";
        if (by == null || by.changeOf(VersionedPlace.ofKey(number)) == null)
            throw new ClusterFailure(what + "what " + by + " did not write");
        if (!Documents.isWhole(found, number)) throw new ClusterFailure(what + "a part of what " + by + " wrote");
        if (by.end == RecordedAttempt.End.FAILED) throw new ClusterFailure(what + "the aborted " + by);
        report.add("long value read", Documents.isInParts(found) ? 1 : 0);
        return found;
    }

    private void record(Txn txn, int access, Step step, Document before, RecordedAttempt attempt) {
        long place = VersionedPlace.ofKey(step.number());
        boolean writes =
                switch (step.kind()) {
                    case READ -> false;
                    case UPDATE, DELETE -> before != null;
                    case INSERT -> before == null;
                    case PUT -> true;
                };
        if (!writes) {
            attempt.seen.add(
                    before != null
                            ? new RecordedAttempt.Seen(place, step.number(), before.writer())
                            : new RecordedAttempt.Seen(
                                    VersionedPlace.ofBucket(txn.bucket(access)), step.number(), txn.version(access)));
            return;
        }
        boolean deletes = step.kind() == Kind.DELETE;
        long bucket = 0;
        if (deletes || before == null) {
            bucket = VersionedPlace.ofBucket(txn.bucket(access));
            if (attempt.changeOf(bucket) == null)
                attempt.changes.add(new RecordedAttempt.Change(bucket, txn.bucketVersion(access), 0, true, 0));
        }
        long replaced = before == null ? 0 : before.writer();
        attempt.changes.add(new RecordedAttempt.Change(place, replaced, 0, !deletes, bucket));
        report.add(deletes ? "document deleted" : before == null ? "document inserted" : "document updated", 1);
    }

    // ---- drafts

    private void emptyDrafts() {
        DraftLog.Event event = drafts.empties();
        try {
            pool.truncate(Documents.DRAFTS);
            drafts.ended(event);
            report.add("table emptied", 1);
        } catch (FabricException e) {
            report.add("table emptied or not", 1);
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.BUSY) throw e;
            report.add("table emptied or not", 1);
        }
    }

    /** Rows move to another layout, while other strands write and read them. */
    private void alterDrafts() {
        try {
            pool.alter(Documents.DRAFTS, nextChange());
            report.add("table altered", 1);
        } catch (FabricException | UnknownOutcomeException e) {
            report.add("table altered or not", 1);
        } catch (IllegalArgumentException e) {
            report.add("table altered by another strand", 1); // the attribute was there, or was not
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.BUSY) report.add("table altered or not", 1);
            else refused(e);
        }
    }

    private SchemaChange nextChange() {
        SchemaChange change = new SchemaChange();
        for (Attribute each :
                PoolAccess.layout(pool.table(Documents.DRAFTS)).schema().attributes()) {
            if (!each.name().equals(PAGES)) continue;
            return each.type().equals(AttributeType.INT) ? change.widen(PAGES, AttributeType.LONG) : change.drop(PAGES);
        }
        return change.add(PAGES, AttributeType.INT, "1");
    }

    private void writeDraft(long number) {
        DraftLog.Event[] last = new DraftLog.Event[1];
        try {
            pool.transact(tx -> {
                if (last[0] != null) drafts.failed(last[0]);
                last[0] = drafts.writes(number, tx.id());
                draftTable.put(tx, Documents.of(number, tx.id()));
            });
            drafts.ended(last[0]);
            report.add("draft written", 1);
        } catch (UnknownOutcomeException e) {
            report.add("draft written or not", 1);
        } catch (StoreException e) {
            refused(e);
            if (last[0] != null) drafts.failed(last[0]);
        }
    }

    private void readDraft(long number) {
        long began = drafts.now();
        Document[] found = new Document[1];
        try {
            pool.transact(tx -> found[0] = draftTable.get(tx, Documents.name(number)));
        } catch (StoreException e) {
            refused(e);
            return;
        }
        if (found[0] == null) {
            drafts.missing(number, drafts.now());
            return;
        }
        if (!Documents.isWhole(found[0], number)) throw new ClusterFailure("draft " + number + " is not whole");
        drafts.found(number, found[0].writer(), began);
    }
}
