package tidepool;

import tidepool.schema.AssembledRow;
import tidepool.schema.FieldRow;
import tidepool.schema.RowImage;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.spi.FieldRows;

/** The rows of a table on fields, by the means of its typed table. */
final class ContentRows implements FieldRows {
    private final Tidepool pool;
    private final Table<?> table; // without a codec: it only declares
    private final Schema schema;

    ContentRows(Tidepool pool, Table<?> table) {
        this.pool = pool;
        this.table = table;
        this.schema = table.layout().schema();
    }

    @Override
    public FieldRow get(Transaction transaction, RowKey key) {
        RowKey own = table.requireOwn(key).copy();
        int access = table.declareRead(transaction.txn(), own.word(), orNull(own));
        return transaction.found(access) ? row(transaction, own, access) : null;
    }

    private FieldRow row(Transaction transaction, RowKey key, int access) {
        AssembledRow assembled = new AssembledRow(schema);
        ContentTables contents = table.bound(transaction.attempt()).contents();
        if (contents == null) assembled.begin(transaction.memory(), transaction.value(access));
        else transaction.contents().assemble(contents, key.word(), orNull(key), access, assembled);
        return FieldRow.of(schema, assembled);
    }

    @Override
    public void put(Transaction transaction, RowKey key, FieldRow row) {
        put(transaction, table, table.requireOwn(key).copy(), row.image());
    }

    private <T extends Record> void put(Transaction transaction, Table<T> of, RowKey key, RowImage image) {
        RowKey parts = orNull(key);
        int access = of.declarePut(transaction.txn(), key.word(), parts);
        transaction.write(new PendingWrite<>(
                of, of.bound(transaction.attempt()), key.word(), parts, access, PendingWrite.Kind.PUT, null, image));
    }

    @Override
    public boolean delete(Transaction transaction, RowKey key) {
        return table.deleteByKey(transaction, key).isPresent();
    }

    @Override
    public <R> RowPages<R> pages(int rows, Maker<R> maker) {
        return table.pages(rows, (transaction, key, access) -> maker.make(key, row(transaction, key.copy(), access)));
    }

    @Override
    public <R> TableLoader<R> loader(Writer<R> writer) {
        return TableLoader.ofRows(pool, table, writer);
    }

    private RowKey orNull(RowKey key) {
        return schema.key().isLong() ? null : key;
    }
}
