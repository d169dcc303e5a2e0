package tidepool.sim;

/**
 * A reusable event of a {@link Simulation}: the next turn of a core, a step of a flight, a deadline. It has a slot for
 * life, so that the queue holds numbers and not references.
 */
abstract class Event {
    final int slot;

    Event(Simulation simulation) {
        this.slot = simulation.slotFor(this);
    }

    /** Called when its time has come, with the tag it was scheduled with. */
    abstract void happen(int tag);
}
