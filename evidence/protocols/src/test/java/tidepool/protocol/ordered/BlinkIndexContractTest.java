package tidepool.protocol.ordered;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.IndexPlanting;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.protocol.ForwardingTxn;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/** The B-link tree keeps the contract of ordered indexes under all protocols. */
class BlinkIndexContractTest extends OrderedIndexContract {
    @Override
    Site site(Tidepool pool, TableHandle handle) {
        TableLayout table = PoolAccess.layout(handle);
        int generation = IndexPlanting.generation(pool);
        BlinkTree tree = new BlinkTree(
                table, IndexPlanting.nodes(pool, handle), table.schema().index("code"), generation);
        BlinkUpkeep upkeep = new BlinkUpkeep(new IndexCounts());
        return new Site() {
            @Override
            public OrderedIndex begin(Txn attempt) {
                BlinkIndex index = newIndex(tree, upkeep);
                index.begin(attempt);
                return index;
            }

            @Override
            public void maintain(Transaction transaction) {
                if (upkeep.isWaiting()) upkeep.run(new Ending(transaction), generation);
            }
        };
    }

    /** An attempt that its user ends itself. */
    private static final class Ending extends ForwardingTxn {
        private final Transaction transaction;

        Ending(Transaction transaction) {
            this.transaction = transaction;
            forwardTo(IndexPlanting.attempt(transaction));
        }

        @Override
        public Outcome commit() {
            return transaction.commit() ? Outcome.COMMITTED : Outcome.ABORTED;
        }

        @Override
        public void rollback() {
            transaction.rollback();
        }
    }

    BlinkIndex newIndex(BlinkTree tree, BlinkUpkeep upkeep) {
        return new BlinkIndex(tree, upkeep);
    }

    // ---- the contract can fail

    /** Trees with one bug each, and the part of the contract that they do not keep. */
    enum Broken {
        /** A split leaves the first entry that it should move. */
        FIRST_ENTRY_STAYS(contract -> contract.scansAreThoseOfASortedSet("ford")) {
            @Override
            BlinkIndex index(BlinkTree tree, BlinkUpkeep upkeep) {
                return new BlinkIndex(tree, upkeep) {
                    @Override
                    protected void split(
                            MemorySegment memory, long full, long fresh, long node, int first, byte[] low) {
                        super.split(memory, full, fresh, node, first + 1, low);
                    }
                };
            }
        },

        /** A change takes the leaf for that of its key to which hints have led. */
        LEAF_OF_THE_HINT(contract -> contract.scansAreThoseOfASortedSet("ford")) {
            @Override
            BlinkIndex index(BlinkTree tree, BlinkUpkeep upkeep) {
                return new BlinkIndex(tree, upkeep) {
                    @Override
                    protected boolean looksAtRange() {
                        return false;
                    }
                };
            }
        },

        /** A look for equal columns ends with the leaf. */
        ONE_LEAF_IS_LOOKED_AT(contract -> contract.equalColumnsAreFound("ford")) {
            @Override
            BlinkIndex index(BlinkTree tree, BlinkUpkeep upkeep) {
                return new BlinkIndex(tree, upkeep) {
                    @Override
                    protected boolean looksAtNeighbours() {
                        return false;
                    }
                };
            }
        };

        private final Consumer<OrderedIndexContract> part;

        Broken(Consumer<OrderedIndexContract> part) {
            this.part = part;
        }

        abstract BlinkIndex index(BlinkTree tree, BlinkUpkeep upkeep);
    }

    @ParameterizedTest
    @EnumSource
    void brokenTreesDoNotKeepIt(Broken tree) {
        OrderedIndexContract contract = new BlinkIndexContractTest() {
            @Override
            BlinkIndex newIndex(BlinkTree its, BlinkUpkeep upkeep) {
                return tree.index(its, upkeep);
            }
        };
        assertThrows(AssertionError.class, () -> tree.part.accept(contract));
    }
}
