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

input = JSON.parse($stdin.read)
results = input['templates'].map do |template|
  Liquid::Template.parse(template, error_mode: :lax).render(input['data'])
rescue StandardError => error
  "Liquid error: #{error.message}"
end
puts JSON.generate(results)
