package tidepool.lab;

import java.util.List;

/** A series that is measured for a figure. Measurements know nothing of each other, so they run side by side, in any order. */
interface Measurement {
    /** Its name in the figure. */
    String series();

    /** The memory that its pool takes on all nodes together, about. */
    long bytes();

    /** Measures it. What comes out depends on the measurement alone. */
    List<Results.Point> run();

    /** What else was seen; asked when it was measured. */
    default List<String> notes() {
        return List.of();
    }
}
