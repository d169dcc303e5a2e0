package tidepool.evidence.faults;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.drtmh.Drtmh;
import tidepool.protocol.drtmh.DrtmhCoordinator;
import tidepool.protocol.drtmh.DrtmhOptions;
import tidepool.protocol.farm.Farm;
import tidepool.protocol.farm.FarmCoordinator;
import tidepool.protocol.farm.FarmVerbs;
import tidepool.protocol.farmv2.FarmV2;
import tidepool.protocol.farmv2.FarmV2Coordinator;
import tidepool.protocol.farmv2.FarmV2Verbs;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordVerbs;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorCoordinator;
import tidepool.protocol.motor.MotorVerbs;
import tidepool.protocol.record.RecordVerbs;
import tidepool.store.Catalog;
import tidepool.store.TableLayout;

/** Protocols with one bug in how they tell two wide keys of one hash apart. */
enum WideKeyBug {
    /** A row with the hash of a key is taken for the row of this key. */
    HASH_EQUALS_KEY,

    /** A protocol that locks late writes a slot that was read for another key of the same hash. */
    STAGED_ROW_OF_ANOTHER_KEY;

    /** Returns a protocol with this bug. */
    Protocol in(String protocol) {
        return switch (protocol) {
            case "ford" -> ford();
            case "motor" -> motor();
            case "farm" -> farm();
            case "farmv2" -> farmv2();
            case "drtmh" -> drtmh();
            default -> throw new IllegalArgumentException("no bug is planted in " + protocol);
        };
    }

    boolean takesHashForKey() {
        return this == HASH_EQUALS_KEY;
    }

    boolean takesSlotForKey() {
        return this == STAGED_ROW_OF_ANOTHER_KEY;
    }

    private Protocol ford() {
        return new Ford() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new FordCoordinator(session, catalog, counters, options()) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return new FordVerbs(pool(), memory) {
                            @Override
                            public boolean isOfKey(TableLayout table, MemorySegment landed, long body, long key) {
                                return takesHashForKey() || super.isOfKey(table, landed, body, key);
                            }

                            @Override
                            public boolean isSameKey(TableLayout table, MemorySegment from, long one, long other) {
                                return takesSlotForKey() || super.isSameKey(table, from, one, other);
                            }
                        };
                    }
                };
            }
        };
    }

    private Protocol motor() {
        return new Motor() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new MotorCoordinator(session, catalog, counters, options()) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return new MotorVerbs(pool(), memory) {
                            @Override
                            public boolean isOfKey(TableLayout table, MemorySegment landed, long body, long key) {
                                return takesHashForKey() || super.isOfKey(table, landed, body, key);
                            }

                            @Override
                            public boolean isSameKey(TableLayout table, MemorySegment from, long one, long other) {
                                return takesSlotForKey() || super.isSameKey(table, from, one, other);
                            }
                        };
                    }
                };
            }
        };
    }

    private Protocol farm() {
        return new Farm() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new FarmCoordinator(session, catalog, counters) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return new FarmVerbs(pool(), memory) {
                            @Override
                            public boolean isOfKey(TableLayout table, MemorySegment landed, long body, long key) {
                                return takesHashForKey() || super.isOfKey(table, landed, body, key);
                            }

                            @Override
                            public boolean isSameKey(TableLayout table, MemorySegment from, long one, long other) {
                                return takesSlotForKey() || super.isSameKey(table, from, one, other);
                            }
                        };
                    }
                };
            }
        };
    }

    private Protocol farmv2() {
        return new FarmV2() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new FarmV2Coordinator(session, catalog, counters) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return new FarmV2Verbs(pool(), memory) {
                            @Override
                            public boolean isOfKey(TableLayout table, MemorySegment landed, long body, long key) {
                                return takesHashForKey() || super.isOfKey(table, landed, body, key);
                            }

                            @Override
                            public boolean isSameKey(TableLayout table, MemorySegment from, long one, long other) {
                                return takesSlotForKey() || super.isSameKey(table, from, one, other);
                            }
                        };
                    }
                };
            }
        };
    }

    private Protocol drtmh() {
        return new Drtmh() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new DrtmhCoordinator(session, catalog, counters, DrtmhOptions.DEFAULT) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return new RecordVerbs(pool(), memory) {
                            @Override
                            public boolean isOfKey(TableLayout table, MemorySegment landed, long body, long key) {
                                return takesHashForKey() || super.isOfKey(table, landed, body, key);
                            }

                            @Override
                            public boolean isSameKey(TableLayout table, MemorySegment from, long one, long other) {
                                return takesSlotForKey() || super.isSameKey(table, from, one, other);
                            }
                        };
                    }
                };
            }
        };
    }
}
