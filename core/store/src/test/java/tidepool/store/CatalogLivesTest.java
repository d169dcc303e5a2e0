package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.NodeControl;
import tidepool.fabric.OrderTable;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;

/** A node that came back with an older journal does not know a life that other nodes have seen, and is doubted. */
class CatalogLivesTest {
    private static final PoolOptions SMALL = new PoolOptions("ford", 2, 0, 1 << 20, 8, 4096);
    private static final int NODES = 3;

    private final Fabric memory = Fabric.open("mem:?nodes=" + NODES);

    /** For each node: the node, then number and nonce of each life that it remembers. */
    private final long[][] lives = {{70, 1, 11}, {71, 1, 21}, {72, 1, 31}};

    private final Set<Integer> doubted = new TreeSet<>();

    @AfterEach
    void close() {
        memory.close();
    }

    /** Opens the pool as a session does that begins to work: it compares and records the lives. */
    private Set<Integer> doubtedAfterOpening() {
        doubted.clear();
        Fabric fabric = new Living(memory);
        try (Session session = fabric.attach()) {
            Catalog.open(fabric, session, SMALL, FlushPolicy.FULL);
        }
        return Set.copyOf(doubted);
    }

    @Test
    void nodesThatKnowAllTheirLivesAreBelieved() {
        assertEquals(Set.of(), doubtedAfterOpening());
        for (int node = 0; node < NODES; node++) lives[node] = new long[] {70 + node, 1, 11 + 10 * node, 2, 5};

        assertEquals(Set.of(), doubtedAfterOpening());
        for (int node = 0; node < NODES; node++) lives[node] = new long[] {70 + node, 2, 5, 3, 6};

        assertEquals(Set.of(), doubtedAfterOpening());
    }

    /** Each node in turn: the recorded life has the same number, and another nonce. */
    @Test
    void aNodeWithAnotherLifeOfThatNumberIsDoubted() {
        for (int node = 0; node < NODES; node++) {
            doubtedAfterOpening();
            lives[node][2]++;

            assertEquals(Set.of(node), doubtedAfterOpening());
            assertEquals(Set.of(), doubtedAfterOpening(), "its life is recorded now");
        }
    }

    @Test
    void aNodeThatKnowsNoLifeOfThatNumberIsDoubted() {
        for (int node = 0; node < NODES; node++) {
            lives[node] = new long[] {70 + node, 1, 11, 2, 12};
            doubtedAfterOpening();
            lives[node] = new long[] {70 + node, 1, 11};

            assertEquals(Set.of(node), doubtedAfterOpening());
        }
    }

    /** A node remembers a limited number of lives. What is older than the first of them says nothing. */
    @Test
    void aNodeMayForgetOldLives() {
        doubtedAfterOpening();
        lives[1] = new long[] {71, 2, 22, 3, 23};

        assertEquals(Set.of(), doubtedAfterOpening());
    }

    /** A node was replaced: what was recorded of another node at its place says nothing about it. */
    @Test
    void theLivesOfAnotherNodeDoNotCount() {
        doubtedAfterOpening();
        lives[1] = new long[] {99, 1, 1};

        assertEquals(Set.of(), doubtedAfterOpening());
    }

    /** Nodes of an older version tell no lives, and nodes that keep nothing have none. */
    @Test
    void nodesThatCannotTellAreBelieved() {
        doubtedAfterOpening();
        lives[2] = new long[0];

        assertEquals(Set.of(), doubtedAfterOpening());
    }

    /** An older journal brings back an older catalog. */
    @Test
    void whatANodeRecordedOfItselfDoesNotCount() {
        doubtedAfterOpening();
        lives[1][2]++;
        record(1, 1, 2, lives[1][2]);

        assertEquals(Set.of(1), doubtedAfterOpening());
    }

    /** The session that recorded a life may have died between its words. */
    @Test
    void aHalfRecordedLifeSaysNothing() {
        doubtedAfterOpening();
        lives[1][2]++;
        for (int witness = 0; witness < NODES; witness++) record(witness, 1, 2, 0);

        assertEquals(Set.of(), doubtedAfterOpening());
    }

    private void record(int witness, int of, int word, long value) {
        try (Session session = memory.attach()) {
            Lane lane = session.lane();
            Region catalog = lane.connect(witness).open(memory.control(witness).regions()[0]);
            new CatalogWords(lane, catalog).put(CatalogLayout.life(of) + word * (long) Words.BYTES, value);
        }
    }

    /** A witness that loses its power must still know what it has seen. */
    @Test
    void recordedLivesAreFlushed() {
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric =
                    new SimFabric(simulation, NODES, CostProfile.CX5_OPTANE, Adversary.ORDER.withPersistence(0));
            Fabric living = new Living(fabric);
            Catalog.open(living, living.attach(), SMALL, FlushPolicy.FULL);

            for (int witness = 0; witness < NODES; witness++)
                for (int node = 0; node < NODES; node++)
                    for (int i = 0; i < CatalogLayout.LIFE_WORDS; i++)
                        assertEquals(
                                lives[node][i],
                                fabric.persistentWord(witness, 0, CatalogLayout.life(node) + i * (long) Words.BYTES),
                                "word " + i + " of node " + node + " at node " + witness);
        }
    }

    /** A fabric whose nodes tell the lives of the test. */
    private final class Living extends Fabric {
        private final Fabric fabric;

        Living(Fabric fabric) {
            this.fabric = fabric;
        }

        @Override
        public String name() {
            return fabric.name();
        }

        @Override
        public int nodes() {
            return fabric.nodes();
        }

        @Override
        public OrderTable orders() {
            return fabric.orders();
        }

        @Override
        public Session attach() {
            return fabric.attach();
        }

        @Override
        public NodeControl control(int node) {
            NodeControl control = fabric.control(node);
            return (NodeControl) Proxy.newProxyInstance(
                    NodeControl.class.getClassLoader(),
                    new Class<?>[] {NodeControl.class},
                    (Object _, Method method, Object[] arguments) -> switch (method.getName()) {
                        case "lives" -> lives[node].clone();
                        case "setDoubted" -> {
                            doubted.add(node);
                            yield null;
                        }
                        default -> method.invoke(control, arguments);
                    });
        }

        @Override
        public boolean isDead(int number) {
            return fabric.isDead(number);
        }

        @Override
        public void close() {}
    }
}
