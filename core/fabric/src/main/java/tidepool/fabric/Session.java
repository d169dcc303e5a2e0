package tidepool.fabric;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import tidepool.base.Checks;

/**
 * One opening of the pool, the unit of failure. Its number has 23 bits and is never used again in the pool's life. When
 * a session is revoked at every memory node, others repair its unfinished work.
 */
public abstract class Session implements AutoCloseable {
    /** Bits of a session number; transaction ids and lock words contain it. */
    public static final int NUMBER_BITS = 23;

    private final Fabric fabric;
    private final int number;
    private final LandingMemory landingMemory = new LandingMemory();
    private final List<Lane> lanes = new CopyOnWriteArrayList<>();
    private final Map<Class<?>, Object> shared = new ConcurrentHashMap<>();

    protected Session(Fabric fabric, int number) {
        Checks.invariant(number > 0 && number < 1 << NUMBER_BITS, "session numbers are 1 to 2^23-1", number);
        this.fabric = fabric;
        this.number = number;
    }

    public final Fabric fabric() {
        return fabric;
    }

    /** Returns the number. Never 0, never used again in this pool. */
    public final int number() {
        return number;
    }

    /** Returns a new lane for one strand or thread. */
    public final Lane lane() {
        Lane lane = newLane();
        lanes.add(lane);
        return lane;
    }

    /**
     * Returns the object of a kind that all users of this session share. The first call creates it. It lives as long as
     * the session; its creation must not wait.
     */
    public final <T> T shared(Class<T> kind, Supplier<T> made) {
        return kind.cast(shared.computeIfAbsent(kind, _ -> made.get()));
    }

    /** Returns the sum of the traffic of all lanes of this session. Exact while they are idle. */
    public final Traffic traffic() {
        Traffic sum = new Traffic();
        for (Lane lane : lanes) sum.add(lane.traffic());
        return sum;
    }

    LandingMemory landingMemory() {
        return landingMemory;
    }

    protected final List<Lane> lanes() {
        return lanes;
    }

    protected abstract Lane newLane();

    /** Leaves the pool cleanly: lanes close, the nodes forget the session. Closing twice does nothing. */
    @Override
    public abstract void close();
}
