package tidepool.evidence.litmus;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tidepool.protocol.Protocol;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.store.TableLayout;

/** A simulation with a machine for each part, created for every call. */
final class SimulatedWorld implements World {
    /** Longer than any delay of a verb, so that no live machine gives up. */
    private static final long PATIENCE_NANOS = 50_000_000;

    private static final int NODES = 3;

    private final Supplier<Protocol> protocol;
    private final Adversary adversary;
    private final MemoryCheck memoryCheck;
    private final long seed;

    SimulatedWorld(Supplier<Protocol> protocol, Adversary adversary, MemoryCheck memoryCheck, long seed) {
        this.protocol = protocol;
        this.adversary = adversary;
        this.memoryCheck = memoryCheck;
        this.seed = seed;
    }

    @Override
    public List<Plan> schedule(Scene scene, long[] verbs) {
        return scene.schedule(verbs);
    }

    @Override
    public boolean repeats() {
        return true;
    }

    @Override
    public List<Played> play(Scene scene, List<Plan> plans) {
        try (Simulation simulation = new Simulation(seed);
                Arena arena = Arena.ofShared()) {
            CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(PATIENCE_NANOS);
            SimFabric fabric = new SimFabric(simulation, NODES, costs, adversary);
            return new Stage(simulation, fabric, new Board(arena.allocate(Board.BYTES, 8)), scene, plans).play();
        } catch (RuntimeException e) {
            throw new Forbidden("scene=" + scene + " seed=" + seed + " " + because(e), e);
        }
    }

    /** Returns the message of the root cause: a strand's failure is wrapped several times. */
    private static String because(Throwable e) {
        Throwable inner = e;
        while (inner.getCause() != null) inner = inner.getCause();
        return inner instanceof Forbidden ? inner.getMessage() : e.getMessage();
    }

    @Override
    public void close() {}

    /** One call of {@link SimulatedWorld#play}. */
    private final class Stage {
        private final Simulation simulation;
        private final SimFabric fabric;
        private final Board board;
        private final Scene scene;
        private final List<Plan> plans;
        private final Notes[][] notes;
        private List<Notes> ends;
        private List<TableLayout> tables;

        Stage(Simulation simulation, SimFabric fabric, Board board, Scene scene, List<Plan> plans) {
            this.simulation = simulation;
            this.fabric = fabric;
            this.board = board;
            this.scene = scene;
            this.plans = plans;
            this.notes = new Notes[plans.size()][scene.parts()];
        }

        List<Played> play() {
            examiner("before", s -> s.prepare(scene, 1, plans.size()));
            for (int p = 0; p < scene.parts(); p++) {
                int part = p;
                String name = "part " + part;
                simulation.start(simulation.machine(name, 1), name, () -> playPart(part, name));
            }
            simulation.run();
            examiner("after", s -> {
                ends = s.end(scene, 1, plans.size());
                tables = s.tables();
            });
            simulation.settle();
            for (TableLayout table : tables) memoryCheck.check(fabric, table);
            List<Played> played = new ArrayList<>();
            for (int r = 0; r < plans.size(); r++) played.add(new Played(plans.get(r), List.of(notes[r]), ends.get(r)));
            return played;
        }

        private void playPart(int part, String name) {
            Runnable death = () -> {
                board.over(0, part); // a mortal scene is played one round at a time
                simulation.machine(name, 1).crash();
            };
            Player player = new Player(fabric, protocol.get(), board, part, death, plans.size());
            player.play(scene, 1, plans, (r, n) -> notes[r][part] = n);
            player.close();
        }

        private void examiner(String name, java.util.function.Consumer<RoundExaminer> what) {
            simulation.start(simulation.machine(name, 1), name, () -> {
                RoundExaminer examiner = new RoundExaminer(fabric, protocol.get(), plans.size());
                what.accept(examiner);
                examiner.close();
            });
            simulation.run();
        }
    }
}
