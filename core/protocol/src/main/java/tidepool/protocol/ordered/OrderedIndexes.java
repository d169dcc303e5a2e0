package tidepool.protocol.ordered;

import java.util.Arrays;
import java.util.function.Function;
import java.util.function.IntSupplier;
import tidepool.schema.IndexSchema;
import tidepool.store.TableLayout;

/** The ordered indexes of a pool as one process knows them: their trees with cached nodes, and what is owed to them. */
public final class OrderedIndexes {
    private static final BlinkTree[] NONE = {};

    private final Function<TableLayout, TableLayout> nodesOf;
    private final IntSupplier generation;

    /** By the number of the table. Replaced as a whole, so a look takes no lock. */
    private volatile BlinkTree[][] trees = {};

    private final IndexCounts counts = new IndexCounts();
    private BlinkUpkeep upkeep = new BlinkUpkeep(counts);

    /**
     * @param nodesOf returns the hidden table with the nodes of a table's indexes; may wait for the catalog
     * @param generation counts the changes of tables that this process has seen
     */
    public OrderedIndexes(Function<TableLayout, TableLayout> nodesOf, IntSupplier generation) {
        this.nodesOf = nodesOf;
        this.generation = generation;
    }

    /** Returns what is owed to the indexes. */
    public BlinkUpkeep upkeep() {
        return upkeep;
    }

    /** Replaces what carries out that, before the first transaction. For planted bugs. */
    public void upkeep(BlinkUpkeep other) {
        upkeep = other;
    }

    /** Returns what this process has done to indexes. */
    public IndexCounts counts() {
        return counts;
    }

    /** Returns the trees of a table that transactions maintain. May wait for the catalog. */
    BlinkTree[] of(TableLayout table) {
        if (!table.schema().isIndexed()) return NONE;
        int now = generation.getAsInt();
        BlinkTree[][] all = trees;
        BlinkTree[] known = table.id() < all.length ? all[table.id()] : null;
        boolean isKnown = known != null && known.length > 0 && known[0].table == table && known[0].generation == now;
        return isKnown ? known : make(table, now);
    }

    private BlinkTree[] make(TableLayout table, int now) {
        TableLayout nodes = nodesOf.apply(table);
        BlinkTree[] made = table.schema().indexes().stream()
                .filter(each -> each.state() != IndexSchema.State.DROPPING)
                .map(each -> new BlinkTree(table, nodes, each, now))
                .toArray(BlinkTree[]::new);
        synchronized (counts) {
            BlinkTree[][] more = Arrays.copyOf(trees, Math.max(trees.length, table.id() + 1));
            more[table.id()] = made;
            trees = more;
        }
        return made;
    }
}
