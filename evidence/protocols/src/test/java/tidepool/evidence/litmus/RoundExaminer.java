package tidepool.evidence.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocol;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;

/** The client that prepares rounds before they are played, and examines their results. It plays no part. */
final class RoundExaminer implements AutoCloseable {
    private static final int MAX_LOOKS = 1_000;
    private static final long PAUSE_NANOS = 5_000;

    private final Fabric fabric;
    private final Tidepool pool;
    private final Tables tables;

    RoundExaminer(Fabric fabric, Protocol protocol, int rounds) {
        this.fabric = fabric;
        this.pool = PoolAccess.open(fabric, Tables.pool(protocol.name(), rounds), protocol);
        this.tables = new Tables(pool, protocol.name(), rounds);
    }

    void prepare(Scene scene, long first, int count) {
        each(first, count, scene::prepare);
    }

    /** Returns the notes about the end of each round, after all dead sessions were recovered. */
    List<Notes> end(Scene scene, long first, int count) {
        return each(first, count, part -> {
            recover(part);
            scene.end(part);
        });
    }

    private void recover(Part part) {
        for (int looks = 0; anyDead(); looks++) {
            part.recover();
            if (looks == MAX_LOOKS) throw new Forbidden("sessions are left that nobody can recover");
            if (anyDead()) Waiting.pause(PAUSE_NANOS);
        }
    }

    private boolean anyDead() {
        for (int session : fabric.control(0).sessions()) if (fabric.isDead(session)) return true;
        return false;
    }

    private List<Notes> each(long first, int count, Consumer<Part> what) {
        List<Notes> all = new ArrayList<>();
        for (int r = 0; r < count; r++) {
            Part part = new Part(pool, tables, null, () -> {}, -1, first + r);
            what.accept(part);
            all.add(part.notes());
        }
        return all;
    }

    /** Returns the tables of the pool, for checks of its memory. */
    List<TableLayout> tables() {
        return pool.tables().stream().map(PoolAccess::layout).toList();
    }

    @Override
    public void close() {
        pool.close();
    }
}
