package tidepool.sim;

/**
 * A reusable event of a {@link Simulation}: the next turn of a core, a step of a verb in flight, a deadline. Its slot
 * never changes. The queue holds the number of the slot and no reference.
 */
abstract class Event {
    final int slot;

    Event(Simulation simulation) {
        this.slot = simulation.slotFor(this);
    }

    /** Called at the scheduled time, with the tag of the schedule call. */
    abstract void happen(int tag);
}
