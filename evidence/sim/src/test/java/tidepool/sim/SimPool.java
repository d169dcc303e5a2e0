package tidepool.sim;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import tidepool.base.Coroutine;
import tidepool.base.Id128;
import tidepool.base.Strand;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.memory.Handlers;

/** A simulated pool for tests: some nodes with one region each, and clients on machines of their own. */
final class SimPool implements AutoCloseable {
    static final long REGION_BYTES = 1 << 16;

    final Simulation simulation;
    final SimFabric fabric;
    final Id128[] capabilities;

    SimPool(long seed, int nodes, CostProfile costs, Adversary adversary) {
        this(new Simulation(seed), nodes, costs, adversary);
    }

    SimPool(long seed, Coroutine.Kind kind, int nodes, CostProfile costs, Adversary adversary) {
        this(new Simulation(seed, kind), nodes, costs, adversary);
    }

    private SimPool(Simulation simulation, int nodes, CostProfile costs, Adversary adversary) {
        this.simulation = simulation;
        this.fabric = new SimFabric(simulation, nodes, costs, adversary, new Handlers());
        this.capabilities = new Id128[nodes];
        for (int i = 0; i < nodes; i++) capabilities[i] = fabric.control(i).createRegion(REGION_BYTES);
    }

    /** A client connected to every node, on its own machine of one core. */
    final class Client {
        final Session session = fabric.attach();
        final Lane lane = session.lane();
        final Link[] links = new Link[fabric.nodes()];
        final Region[] regions = new Region[fabric.nodes()];
        final Round round = lane.round(16);
        final Round other = lane.round(16);
        final MemorySegment landing = lane.landing(8192);
        final MemorySegment source = lane.landing(8192);

        Client() {
            for (int i = 0; i < links.length; i++) {
                links[i] = lane.connect(i);
                regions[i] = links[i].open(capabilities[i]);
            }
        }

        void reconnect(int node) {
            links[node].reconnect();
            regions[node] = links[node].open(capabilities[node]);
        }

        Region region() {
            return regions[0];
        }

        Link link() {
            return links[0];
        }

        long landed(long offset) {
            return Words.plain(landing, offset);
        }

        /** Returns one word, read in a round of its own. */
        long read(long offset) {
            other.read(regions[0], offset, 8, landing, 4096).post().await();
            return landed(4096);
        }

        void write(long offset, long word) {
            other.write(regions[0], offset, word).post().await();
        }
    }

    Strand client(String name, Consumer<Client> body) {
        return simulation.start(simulation.machine(name, 1), name, () -> body.accept(new Client()));
    }

    /** Returns a word of the node's memory, read without a verb. */
    long word(int node, long offset) {
        return Words.plain(fabric.memory(node).region(0).data(), offset);
    }

    void word(int node, long offset, long value) {
        Words.plain(fabric.memory(node).region(0).data(), offset, value);
    }

    long count(CoveragePoint what) {
        return simulation.coverage().count(what);
    }

    @Override
    public void close() {
        simulation.close();
    }
}
