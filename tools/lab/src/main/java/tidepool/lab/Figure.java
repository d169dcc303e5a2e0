package tidepool.lab;

import java.util.List;

/** A figure of a paper: its measurements, and the numbers that the paper reports. */
interface Figure {
    /** Returns its numbers in the paper; the first is its name in files. */
    List<String> numbers();

    /** Returns its title. */
    String title();

    /** Returns all its measurements. */
    List<? extends Measurement> jobs(Lab lab);

    /** Compares the paper's numbers with the measured ones. */
    FigureResult result(Results results);
}
