package tidepool.lab;

import tidepool.workload.measured.MeasuredWorkload;

/**
 * One point of a series.
 *
 * @param x its place in the figure
 * @param load the coordinators that work
 * @param workload their workload; it has the rows that the pool was loaded with
 * @param window the measured time
 */
record SeriesPoint(double x, Load load, MeasuredWorkload workload, Lab.Window window) {}
