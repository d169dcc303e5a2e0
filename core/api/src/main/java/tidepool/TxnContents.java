package tidepool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tidepool.schema.AssembledRow;
import tidepool.schema.ContentField;
import tidepool.schema.RowImage;
import tidepool.schema.RowKey;
import tidepool.store.ContentParts;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;

/**
 * The long contents that a transaction reads and writes: declares their parts, writes them once there is room, and puts
 * rows together. Parts are rows, so everything that holds for accesses holds for them.
 *
 * <p>The parts of a new content are declared with its row, in the round trips of the row. Which parts a row had is
 * known when the row was read, so their deletes come one call of {@code execute} later. A content that this transaction
 * has read and that is not changed keeps its parts.
 *
 * <p>Planted bugs override single methods.
 */
class TxnContents {
    /** Makes the long contents of a transaction. */
    @FunctionalInterface
    interface Maker {
        TxnContents make(Transaction transaction, TxnAttempt attempt);
    }

    /** A content in parts: its table, the transaction that wrote it, and the number of its first part. */
    record Ref(int table, long writer, int firstPart, int length) {}

    /** A row, to find the contents that it had when it was read. */
    private record RowId(int table, long word, RowKey parts) {}

    /** A part that is declared and gets its content when it was carried out. */
    private static final class NewPart {
        final int access;
        final byte[] content;
        final int number;

        NewPart(int access, byte[] content, int number) {
            this.access = access;
            this.content = content;
            this.number = number;
        }

        void write(TxnAttempt attempt) {
            int from = ContentParts.from(content.length, number);
            int bytes = ContentParts.bytes(content.length, number);
            ContentParts.put(content, from, bytes, attempt.memory(), attempt.value(access));
        }
    }

    /** A row that is declared to be deleted. */
    private record DeletedRow(ContentTables tables, int access) {}

    private final Transaction transaction;
    private final TxnAttempt attempt;

    /** The accesses of the parts of contents that were read or deleted. */
    private final Map<Ref, int[]> known = new HashMap<>();

    /** The contents that rows had when they were read, by the numbers of their fields. */
    private final Map<RowId, Ref[]> seen = new HashMap<>();

    private final List<NewPart> newParts = new ArrayList<>();
    private final List<DeletedRow> deletedRows = new ArrayList<>();
    private int parts;

    TxnContents(Transaction transaction, TxnAttempt attempt) {
        this.transaction = transaction;
        this.attempt = attempt;
    }

    /** Returns whether parts wait for their content, so that the transaction cannot commit yet. */
    boolean isWaiting() {
        return !newParts.isEmpty();
    }

    // ---- reading

    /**
     * Declares the reads of all parts of a row that was read. Returns whether it has any; they are carried out with the
     * next access that is.
     */
    boolean declareReads(ContentTables tables, int access) {
        MemorySegment memory = attempt.memory();
        long value = attempt.value(access);
        boolean any = false;
        for (ContentField field : tables.fields()) {
            if (!field.isInParts(memory, value)) continue;
            any = true;
            Ref ref = ref(tables, field, memory, value);
            if (!known.containsKey(ref)) known.put(ref, declare(tables, ref, false));
        }
        return any;
    }

    /**
     * Copies a row that was read into memory of its own, together with its long contents. Waits for these if they were
     * not carried out yet.
     */
    void assemble(ContentTables tables, long word, RowKey parts, int access, AssembledRow into) {
        if (declareReads(tables, access)) transaction.executeDeclared();
        MemorySegment memory = attempt.memory();
        long value = attempt.value(access);
        into.begin(memory, value);
        Ref[] contents = new Ref[tables.fields().size()];
        for (int i = 0; i < contents.length; i++) {
            if (into.place(i) < 0) continue;
            contents[i] = ref(tables, tables.fields().get(i), memory, value);
            copy(tables, contents[i], into.memory(), into.place(i));
        }
        seen.put(new RowId(tables.table().id(), word, parts), contents);
    }

    void copy(ContentTables tables, Ref ref, MemorySegment target, long at) {
        int[] accesses = known.get(ref);
        for (int i = 0; i < accesses.length; i++) {
            int bytes = ContentParts.bytes(ref.length, i);
            if (!attempt.found(accesses[i])) throw missing(tables, ref, i);
            long part = attempt.value(accesses[i]);
            if (ContentParts.length(attempt.memory(), part) != bytes) throw missing(tables, ref, i);
            ContentParts.copy(attempt.memory(), part, bytes, target, at + ContentParts.from(ref.length, i));
        }
    }

    /** Another transaction has replaced the content meanwhile, and this attempt is over; or the pool is damaged. */
    private RuntimeException missing(ContentTables tables, Ref ref, int i) {
        return transaction.refused(new StoreException(
                StoreException.Reason.CORRUPT,
                "a part of a value is missing: table=" + tables.table().name() + " part=" + TxnId.text(ref.writer) + ":"
                        + (ref.firstPart + i)));
    }

    // ---- writing

    /** Declares the parts of a record whose row is declared and not carried out yet. */
    void declared(PendingWrite<?> write) {
        ContentTables tables = write.bound().contents();
        Ref[] had = seen.get(new RowId(tables.table().id(), write.key(), write.parts()));
        for (int i = 0; i < tables.fields().size(); i++) {
            byte[] content = write.image().content(i);
            if (content == null) continue;
            if (had != null && isSame(had[i], content)) refer(write.image(), i, had[i]);
            else insert(tables, write.image(), i, write.key());
        }
    }

    /** Writes a record whose row was carried out: deletes the parts that the row had, and makes those that it gets. */
    void apply(PendingWrite<?> write) {
        ContentTables tables = write.bound().contents();
        RowImage image = write.image();
        MemorySegment memory = attempt.memory();
        boolean isWritten = attempt.writes(write.access());
        long value = isWritten ? attempt.value(write.access()) : 0;
        boolean isNew = write.isNew(attempt);
        for (int i = 0; i < tables.fields().size(); i++) {
            if (!isNew && image.keeps(i)) continue;
            byte[] content = image.content(i);
            ContentField field = tables.fields().get(i);
            Ref old = isWritten && field.isInParts(memory, value) ? ref(tables, field, memory, value) : null;
            Ref told = content == null || image.writer(i) == 0
                    ? null
                    : new Ref(tables.table().id(), image.writer(i), image.firstPart(i), content.length);
            if (!isWritten) {
                if (told != null && told.writer == attempt.id()) delete(tables, told);
                continue;
            }
            if (old != null && old.equals(told)) continue;
            if (told == null && content != null && isSame(old, content)) {
                refer(image, i, old);
                continue;
            }
            // A content that the row does not have any more is not kept: this attempt will not commit.
            if (content != null && (told == null || told.writer != attempt.id())) insert(tables, image, i, write.key());
            if (old != null) delete(tables, old);
        }
        if (isWritten) write.copy(attempt, memory, value);
    }

    /** Notes a declared delete of a row, whose parts are known once it is carried out. */
    void deletes(ContentTables tables, int access) {
        deletedRows.add(new DeletedRow(tables, access));
        if (attempt.isExecuted(access)) deleteParts();
    }

    /** Called when all declared accesses were carried out: there is room for the contents of parts. */
    void executed() {
        if (!newParts.isEmpty()) {
            for (NewPart each : newParts) each.write(attempt);
            newParts.clear();
        }
        deleteParts();
    }

    /** Declares the deletes of the parts of all deleted rows that were carried out. */
    private void deleteParts() {
        int left = 0;
        for (int i = 0; i < deletedRows.size(); i++) {
            DeletedRow row = deletedRows.get(i);
            if (attempt.isExecuted(row.access)) deleteParts(row);
            else deletedRows.set(left++, row);
        }
        deletedRows.subList(left, deletedRows.size()).clear();
    }

    private void deleteParts(DeletedRow row) {
        if (!attempt.found(row.access)) return;
        MemorySegment memory = attempt.memory();
        long value = attempt.value(row.access);
        for (ContentField field : row.tables.fields())
            if (field.isInParts(memory, value)) delete(row.tables, ref(row.tables, field, memory, value));
    }

    void insert(ContentTables tables, RowImage image, int i, long word) {
        byte[] content = image.content(i);
        int firstPart = parts;
        int count = ContentParts.count(content.length);
        parts += count;
        image.refer(i, attempt.id(), firstPart);
        for (int part = 0; part < count; part++) {
            TableLayout table = tables.of(content.length, part);
            int access = attempt.insert(table, tables.key(attempt.id(), firstPart + part));
            newParts.add(new NewPart(access, content, part));
        }
    }

    void delete(ContentTables tables, Ref ref) {
        known.put(ref, declare(tables, ref, true));
    }

    private int[] declare(ContentTables tables, Ref ref, boolean deletes) {
        int[] accesses = new int[ContentParts.count(ref.length)];
        for (int i = 0; i < accesses.length; i++) {
            TableLayout table = tables.of(ref.length, i);
            RowKey key = tables.key(ref.writer, ref.firstPart + i);
            accesses[i] = deletes ? attempt.delete(table, key) : attempt.read(table, key);
        }
        return accesses;
    }

    /** Returns whether a content that this transaction has read has these bytes. */
    boolean isSame(Ref ref, byte[] content) {
        int[] accesses = ref == null || ref.length != content.length ? null : known.get(ref);
        if (accesses == null) return false;
        for (int i = 0; i < accesses.length; i++) {
            if (!attempt.isExecuted(accesses[i]) || !attempt.found(accesses[i])) return false;
            long part = attempt.value(accesses[i]);
            int from = ContentParts.from(content.length, i);
            int bytes = ContentParts.bytes(content.length, i);
            if (!ContentParts.holds(attempt.memory(), part, content, from, bytes)) return false;
        }
        return true;
    }

    private static void refer(RowImage image, int i, Ref ref) {
        image.refer(i, ref.writer, ref.firstPart);
    }

    private static Ref ref(ContentTables tables, ContentField field, MemorySegment memory, long value) {
        return new Ref(
                tables.table().id(),
                field.writer(memory, value),
                field.firstPart(memory, value),
                field.length(memory, value));
    }
}
