package tidepool.fabric;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import tidepool.base.Checks;

/**
 * The unit of failure: one opening of the pool, numbered by 23 bits that are never used again in the pool's life. What a
 * session has begun is repaired by others once it is revoked at every memory node.
 */
public abstract class Session implements AutoCloseable {
    /** Bits of a session number; transaction ids and lock words carry it. */
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

    /** Never 0, never used again in this pool. */
    public final int number() {
        return number;
    }

    /** A new lane for one strand or thread. */
    public final Lane lane() {
        Lane lane = newLane();
        lanes.add(lane);
        return lane;
    }

    /**
     * What those who work in this session share, one of each kind, made for the first who asks. It lives as long as the session;
     * making it must not wait.
     */
    public final <T> T shared(Class<T> kind, Supplier<T> made) {
        return kind.cast(shared.computeIfAbsent(kind, _ -> made.get()));
    }

    /** What all lanes of this session have sent, added up. Exact when they are quiet. */
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
