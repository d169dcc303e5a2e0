package tidepool.lab;

import tidepool.workload.measured.MeasuredWorkload;

/**
 * One point of a series.
 *
 * @param x where it stands in the figure
 * @param load how many coordinators work
 * @param workload what they do; it has the rows that the pool was loaded with
 * @param window how long
 */
record Step(double x, Load load, MeasuredWorkload workload, Lab.Window window) {}
