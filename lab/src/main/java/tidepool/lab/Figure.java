package tidepool.lab;

import java.util.List;

/** A figure of a paper: what is measured for it, and what the paper says came out. */
interface Figure {
    /** Its numbers in the paper; the first is its name in files. */
    List<String> numbers();

    /** What it shows. */
    String title();

    /** Everything that is measured. */
    List<? extends Measurement> jobs(Lab lab);

    /** Puts the paper's numbers beside what was measured. */
    Findings findings(Results results);
}
