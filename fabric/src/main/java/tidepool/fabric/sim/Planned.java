package tidepool.fabric.sim;

/** Something that a test or a fault plan wants to happen at a time. Used again once it has happened. */
final class Planned extends Event {
    private final Simulation simulation;
    private Runnable what;

    Planned(Simulation simulation) {
        super(simulation);
        this.simulation = simulation;
    }

    void plan(long atNanos, Runnable what) {
        this.what = what;
        simulation.schedule(this, atNanos, 0);
    }

    @Override
    void happen(int tag) {
        Runnable now = what;
        what = null;
        simulation.happened(this);
        try {
            now.run();
        } catch (RuntimeException | Error thrown) {
            simulation.fail(thrown);
        }
    }
}
