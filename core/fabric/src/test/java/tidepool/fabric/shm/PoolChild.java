package tidepool.fabric.shm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.memory.NodeLayout;

/** The program in a {@link ChildJvm}: one command per line, one answer per line. */
final class PoolChild {
    private ShmFabric fabric;
    private Session session;
    private Lane lane;
    private Link link;
    private Round round;
    private MemorySegment landing;

    public static void main(String[] arguments) throws IOException {
        PoolChild child = new PoolChild();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            try {
                say(child.answer(line.split(" ")));
            } catch (FabricException e) {
                say("FabricException " + e.reason() + " " + e.refusal() + " " + e.getMessage());
            } catch (RuntimeException | Error e) {
                e.printStackTrace();
                say("failed " + e);
            }
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private String answer(String[] words) throws IOException {
        switch (words[0]) {
            case "open" -> {
                fabric = (ShmFabric) Fabric.open(words[1]);
                session = fabric.attach();
                lane = session.lane();
                link = lane.connect(0);
                round = lane.round(8);
                landing = lane.landing(RecordFormat.BYTES);
                return "session=" + session.number() + " id=" + fabric.id().hex();
            }
            case "attach" -> {
                int number = session.number();
                for (int i = 0; i < Integer.parseInt(words[1]); i++)
                    number = fabric.attach().number();
                return "last=" + number;
            }
            case "create" -> {
                return fabric.control(0).createRegion(Long.parseLong(words[1])).hex();
            }
            case "faa" -> {
                Region region = region(words[1]);
                long count = Long.parseLong(words[2]);
                for (long i = 0; i < count; i++)
                    round.fetchAndAdd(region, 0, 1, landing, 0).post().await();
                return "done";
            }
            case "lock" -> {
                return "violations=" + lockInTurn(region(words[1]), Integer.parseInt(words[2]));
            }
            case "loop" -> {
                Region region = region(words[1]);
                say("looping");
                while (true) round.fetchAndAdd(region, 0, 1, landing, 0).post().await();
            }
            case "write" -> {
                Region region = region(words[1]);
                say("writing");
                for (long version = 1; ; version++) {
                    RecordFormat.fill(landing, version);
                    round.write(region, 0, RecordFormat.BYTES, landing, 0)
                            .post()
                            .await();
                }
            }
            case "hold-control-lock" -> {
                MemorySegment meta = fabric.memoryNode(0).meta();
                return "found=" + Words.compareAndSwap(meta, NodeLayout.CONTROL_LOCK, 0, fabric.controlSession());
            }
            case "create-regions" -> {
                say("creating");
                while (true) fabric.control(0).freeRegion(fabric.control(0).createRegion(Long.parseLong(words[1])));
            }
            case "create-pools" -> {
                say("creating");
                for (int i = 0; ; i++)
                    Fabric.open("shm:" + words[1] + "/pool-" + i + "?mode=create")
                            .close();
            }
            case "hold-creation" -> {
                Path path = Path.of(words[1]);
                CreationLock held = CreationLock.acquire(path, () -> false);
                Path debris = Files.createDirectory(path.resolveSibling(path.getFileName() + ".new-0123456789abcdef"));
                Files.createDirectory(debris.resolve("node-0"));
                Files.writeString(debris.resolve("node-0").resolve("meta"), "half");
                return "holding " + (held != null);
            }
            case "sweep" -> {
                say("sweeping");
                while (true) Fabric.open(words[1]).close();
            }
            case "close" -> {
                fabric.close();
                return "closed";
            }
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private Region region(String capability) {
        return link.open(Id128.fromHex(capability));
    }

    /** Word 0 is the lock, word 1 names the holder, word 2 is counted without atomics. */
    private int lockInTurn(Region region, int times) {
        int violations = 0;
        long me = session.number();
        for (int i = 0; i < times; i++) {
            while (true) {
                round.compareAndSwap(region, 0, 0, me, landing, 0)
                        .read(region, 8, 16, landing, 8)
                        .post()
                        .await();
                if (landing.get(Words.U64, 0) == 0) break;
                Thread.yield();
            }
            if (landing.get(Words.U64, 8) != 0) violations++;
            long counted = landing.get(Words.U64, 16);
            round.write(region, 8, me)
                    .write(region, 16, counted + 1)
                    .read(region, 8, 16, landing, 8)
                    .post()
                    .await();
            if (landing.get(Words.U64, 8) != me || landing.get(Words.U64, 16) != counted + 1) violations++;
            round.write(region, 8, 0)
                    .compareAndSwap(region, 0, me, 0, landing, 0)
                    .post()
                    .await();
            if (landing.get(Words.U64, 0) != me) violations++;
        }
        return violations;
    }
}
