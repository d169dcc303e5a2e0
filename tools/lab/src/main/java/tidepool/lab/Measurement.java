package tidepool.lab;

import java.util.List;

/** A series that is measured for a figure. Measurements are independent, so they run concurrently, in any order. */
interface Measurement {
    /** Returns its name in the figure. */
    String series();

    /** Returns the approximate memory of its pool on all nodes together. */
    long bytes();

    /** Runs the measurement. The result depends on the measurement alone. */
    List<Results.Point> run();

    /** Returns other observations. Called after {@link #run}. */
    default List<String> notes() {
        return List.of();
    }
}
