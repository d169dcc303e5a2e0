package tidepool.sim;

/** An action that a test or a fault plan runs at a given time. Reused once it has happened. */
final class PlannedEvent extends Event {
    private final Simulation simulation;
    private Runnable what;

    PlannedEvent(Simulation simulation) {
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
