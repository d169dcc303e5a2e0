package tidepool.evidence.litmus;

import java.util.List;
import java.util.function.BiConsumer;
import tidepool.Tidepool;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocol;
import tidepool.spi.PoolAccess;

/** One machine or process that plays one part, round after round. */
final class Player implements AutoCloseable {
    private final Board board;
    private final int number;
    private final Gate gate;
    private final Tidepool pool;
    private final Tables tables;
    private final Runnable death;
    private Runnable lastWords;

    /**
     * Opens the pool. Waits for the memory nodes.
     *
     * @param death ends everything that runs here
     * @param rounds how many rounds the pool has room for
     */
    Player(Fabric fabric, Protocol protocol, Board board, int number, Runnable death, int rounds) {
        this.board = board;
        this.number = number;
        this.death = death;
        this.gate = new Gate(board, number, this::die);
        this.pool = PoolAccess.open(new StageFabric(fabric, gate), Tables.pool(protocol.name(), rounds), protocol);
        this.tables = new Tables(pool, protocol.name(), rounds);
    }

    /**
     * Plays one round for each plan.
     *
     * @param first the number of the first round, never used before in this pool
     * @param told called with the notes of each round
     */
    void play(Scene scene, long first, List<Plan> plans, BiConsumer<Integer, Notes> told) {
        for (int r = 0; r < plans.size(); r++) play(scene, first + r, r, plans.get(r), told);
    }

    private void play(Scene scene, long round, int r, Plan plan, BiConsumer<Integer, Notes> told) {
        Part part = new Part(pool, tables, gate, () -> raise(scene.parts(), r, plan), number, round);
        lastWords = () -> told.accept(r, part.notes());
        meet(scene.parts(), r, Board.READY);
        try {
            scene.play(part);
            part.barrier();
            part.note("verbs", gate.verbs());
        } catch (RuntimeException e) {
            board.fail();
            throw e;
        }
        if (plan.deathOf(number) == Plan.END) gate.die();
        gate.lower();
        lastWords.run();
        board.over(r, number);
    }

    private void die() {
        lastWords.run();
        death.run();
    }

    private void raise(int parts, int r, Plan plan) {
        meet(parts, r, Board.CURTAIN);
        gate.raise(r, plan);
    }

    private void meet(int parts, int r, int word) {
        board.add(r, word);
        for (int turns = 0; board.get(r, word) < parts; turns++) board.pause(turns);
    }

    @Override
    public void close() {
        pool.close();
    }
}
