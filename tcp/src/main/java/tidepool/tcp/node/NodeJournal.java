package tidepool.tcp.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;
import tidepool.tcp.journal.Entry;
import tidepool.tcp.journal.Journal;
import tidepool.tcp.journal.JournalException;
import tidepool.tcp.journal.JournalOptions;
import tidepool.tcp.journal.PoolMemory;

/** The journal of a node, and the pools that came out of it. The node's loop alone uses it. */
final class NodeJournal {
    /** The folder of the journal inside the node's. No pool in mapped files has a file of that name in it. */
    private static final String FOLDER = "journal";

    private static final String IDENTITY = "identity";

    /** A pool that the journal knows. */
    record Known(int number, String name, HostedPool.Place place, NativeStore store) {}

    private final Journal journal;
    private final Map<Integer, Known> pools;
    private final Map<Integer, MemoryNode> nodes = new TreeMap<>();

    private NodeJournal(Journal journal, Map<Integer, Known> pools) {
        this.journal = journal;
        this.pools = pools;
    }

    /** Whether a journal lies in a node's folder. */
    static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(FOLDER).resolve(IDENTITY));
    }

    /** Opens what is there, or begins it; throws with a sentence if it is not to be served. */
    static NodeJournal open(
            Path folder,
            NodeOptions options,
            MemoryBudget budget,
            Consumer<Runnable> whenNobodyLooks,
            Runnable progress) {
        refuseMapped(folder, options);
        RecoveredPools recovered = new RecoveredPools(budget, whenNobodyLooks);
        boolean opened = false;
        try {
            Path at = Files.createDirectories(folder.resolve(FOLDER));
            JournalOptions how = options.journal();
            Journal journal = Journal.open(how.disks().apply(at), how, recovered, Ids.secure(), progress);
            opened = true;
            return new NodeJournal(journal, recovered.pools());
        } catch (JournalException e) {
            throw FabricException.unavailable(e.getMessage(), e);
        } catch (IOException e) {
            throw FabricException.unavailable("the node cannot use its directory (" + e + "): " + folder, e);
        } finally {
            if (!opened) recovered.close();
        }
    }

    /** Pools in mapped files have no journal, and would look like none at all. */
    private static void refuseMapped(Path folder, NodeOptions options) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isDirectory)) {
            for (Path entry : entries)
                if (!entry.getFileName().toString().equals(FOLDER) || Files.exists(entry.resolve("pool")))
                    throw FabricException.unavailable("pools in mapped files lie here, which --durability "
                            + options.journal().durability().text()
                            + " does not serve: start the node with --durability none, or give it another --dir: "
                            + entry);
        } catch (IOException e) {
            throw FabricException.unavailable("the node cannot read its directory (" + e + "): " + folder, e);
        }
    }

    Journal journal() {
        return journal;
    }

    Iterable<Known> pools() {
        return pools.values();
    }

    /** A new pool; there is room for it. */
    Known add(String name, HostedPool.Place place, NativeStore store) {
        int number = pools.size();
        if (number == Entry.POOLS)
            throw FabricException.unavailable("a node with a journal has at most " + Entry.POOLS + " pools");
        Known known = new Known(number, name, place, store);
        pools.put(number, known);
        journal.pool(number, name, place.id(), place.number(), place.nodes(), store.meta());
        return known;
    }

    /** What it is told to; the pool's memory is what the node has from now on. */
    PoolJournal of(Known known, MemoryNode node) {
        nodes.put(known.number, node);
        return new PoolJournal(this, known.number, node.meta());
    }

    /** The node has another place in the pool than before. */
    void placed(int number, HostedPool.Place place) {
        Known known = pools.get(number);
        if (known.place.equals(place)) return;
        pools.put(number, new Known(number, known.name, place, known.store));
        journal.placed(number, known.name, place.id(), place.number(), place.nodes());
    }

    /** The end of a turn of the loop. */
    void turn(boolean quiet) {
        journal.turn(quiet, this::memory);
    }

    private List<PoolMemory> memory() {
        List<PoolMemory> all = new ArrayList<>();
        for (Known known : pools.values()) {
            MemoryNode node = nodes.get(known.number);
            Map<Integer, MemorySegment> regions = new TreeMap<>();
            for (int i = 0; i < node.regionCount(); i++) {
                long state = Words.acquire(node.meta(), NodeLayout.region(i) + NodeLayout.REGION_STATE);
                if (state == NodeLayout.REGION_LIVE)
                    regions.put(i, node.region(i).whole());
            }
            Id128 id = known.place.id();
            all.add(new PoolMemory(
                    known.number, known.name, id, known.place.number(), known.place.nodes(), node.meta(), regions));
        }
        return all;
    }

    /** Nothing of it is served. */
    void abandon() {
        for (Known known : pools.values()) known.store.close();
        journal.abandon();
    }

    /** Writes what is left; says that nothing is missing only if that is so. */
    void close(boolean inOrder) {
        if (inOrder) journal.close();
        else journal.abandon();
    }
}
