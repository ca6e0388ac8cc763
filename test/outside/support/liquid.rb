# Renders templates with Ruby's Liquid. Standard input: {"data": …, "templates": […]}. Standard output: the results.
require 'json'
require 'liquid'
ENV['TZ'] = 'UTC'

# Deliberate differences in how values print: objects as JSON, lists as their elements, 2.0 as 2.
class Hash
  def to_s = JSON.generate(self)
end

class Array
  def to_s = flatten.map(&:to_s).join
end

class Range
  def to_s = to_a.join
end

class Float
  alias to_text to_s
  def to_s = to_text.delete_suffix('.0')
end

# Deliberate differences of filters and tags. They are made here rather than excused, so that everything else in a
# template is still compared.
module Differences
  # A number has no size.
  def size(input) = input.is_a?(Numeric) ? 0 : super

  # The first and last character of a text.
  def first(input) = input.is_a?(String) ? input[0].to_s : super
  def last(input) = input.is_a?(String) ? input[-1].to_s : super

  # A value that is no list is sorted as a list of one. Values without the property keep their order, and so do objects
  # if none is given.
  def sort(input, property = nil) = listed(input, property) { super }

  def sort_natural(input, property = nil)
    listed(input, property) { property.nil? && input.is_a?(Array) && input.any?(Hash) ? input : super }
  end

  # A decimal number cannot be divided by zero either.
  def divided_by(input, operand) = nonzero(operand) && super
  def modulo(input, operand) = nonzero(operand) && super

  private

  def listed(input, property)
    unsorted = input.is_a?(Enumerable) ? input : [input]
    return unsorted if property && !input.nil? && unsorted.none?(Hash)

    yield
  rescue Liquid::ArgumentError
    unsorted
  end

  def nonzero(operand)
    raise Liquid::ZeroDivisionError, 'divided by 0' if Liquid::Utils.to_number(operand).zero?

    true
  end
end
Liquid::Template.register_filter(Differences)

# A branch of `case` runs once.
class Liquid::Case
  def render_to_output_buffer(context, output)
    bodies = @blocks.reject(&:else?).select { |block| block.evaluate(context) }.map(&:attachment).uniq(&:object_id)
    bodies = @blocks.select(&:else?).map(&:attachment) if bodies.empty?
    bodies.each { |body| body.render_to_output_buffer(context, output) }
    output
  end
end

input = JSON.parse($stdin.read)
results = input['templates'].map do |template|
  Liquid::Template.parse(template, error_mode: :lax).render(input['data'])
rescue StandardError => error
  "Liquid error: #{error.message}"
end
puts JSON.generate(results)
