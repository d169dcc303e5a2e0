package tidepool.fabric.sim;

/**
 * Something that can happen in a {@link Simulation}, again and again: a core's next turn, a step of a flight, a deadline.
 * It has a slot for life, so that the queue holds numbers and not references.
 */
abstract class Event {
    final int slot;

    Event(Simulation simulation) {
        this.slot = simulation.slotFor(this);
    }

    /** Its time has come. The tag is the one that it was scheduled with. */
    abstract void happen(int tag);
}
